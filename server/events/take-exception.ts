import type { Exception, Json } from '../../shared/event.ts'
import { type Fields, pathsOf, readName, readText } from './take.ts'

// The names of pino, and OpenTelemetry's (https://opentelemetry.io/docs/specs/semconv/exceptions/exceptions-logs/)
const holders = ['err', 'error', 'exception'].map(at => ({
  text: pathsOf(at),
  message: pathsOf(`${at}.message`, `${at}.msg`),
  stack: pathsOf(`${at}.stack`, `${at}.stacktrace`, `${at}.stack_trace`),
  type: pathsOf(`${at}.type`, `${at}.name`),
}))
const bareStack = pathsOf('stack')

/**
 * Takes what was thrown out of a record: an object with message and stack, or all of it as one text. Other fields
 * of the object (`code`, `cause`) stay where they are.
 */
export function takeException(fields: Fields): Exception | null {
  for (const { text, message, stack, type } of holders) {
    const asText = fields.take(text, readThrown)
    if (asText !== null) return asText
    const said = fields.take(message, readText)
    const trace = fields.take(stack, readText)
    // A type alone is a class of error (OpenTelemetry's `error.type`), not something that was thrown.
    if (said !== null || trace !== null) return withStack(trace, said, fields.take(type, readName))
  }
  // winston and others write the stack beside the message.
  return fields.take(bareStack, value =>
    typeof value === 'string' && frames.test(value) ? fromText(value) : null,
  )
}

const frames = /\r?\n[ \t]+at /

function readThrown(value: Json): Exception | null {
  return typeof value === 'string' && value !== '' ? fromText(value) : null
}

function withStack(stack: string | null, message: string | null, type: string | null): Exception {
  const inStack = stack === null ? null : fromText(stack)
  return { type: type ?? inStack?.type ?? 'Error', message: message ?? inStack?.message ?? '', stack }
}

function fromText(text: string): Exception {
  const end = text.search(frames)
  const head = (end === -1 ? text : text.slice(0, end)).slice(0, 10_000)
  const [, type = 'Error', message = head] =
    /^(?:Uncaught )?([A-Z][\w.$]{0,100}): ([\s\S]*)$/.exec(head) ?? []
  return { type, message, stack: end === -1 ? null : text }
}
