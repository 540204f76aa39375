import type { Exception, Json } from '../../shared/event.ts'
import { exceptionInText } from '../stacks/exception-in-text.ts'
import { stackFrames } from '../stacks/stack.ts'
import { type Fields, pathsOf, readName, readText } from './take.ts'

// The names of pino, and OpenTelemetry's (https://opentelemetry.io/docs/specs/semconv/exceptions/exceptions-logs/)
const holders = ['err', 'error', 'exception'].map(at => ({
  text: pathsOf(at),
  message: pathsOf(`${at}.message`, `${at}.msg`),
  stack: pathsOf(`${at}.stack`, `${at}.stacktrace`, `${at}.stack_trace`),
  type: pathsOf(`${at}.type`, `${at}.name`),
}))
/** As winston, zap, Logback's encoders and Python's formatters write a stack beside the message. */
const bareStack = pathsOf('stack', 'stacktrace', 'stack_trace', 'stackTrace', 'exc_info', 'exc_text')

/** Where a record may tell of what was thrown. */
export const exceptionPaths = [
  ...holders.flatMap(({ text, message, stack, type }) => [...text, ...message, ...stack, ...type]),
  ...bareStack,
]

/**
 * Takes what was thrown out of a record: an object with message and stack, all of it as one text, or a stack that
 * stands beside the message. Other fields of the object (`code`, `cause`) stay where they are.
 */
export function takeException(fields: Fields): Exception | null {
  const exception = takeHeld(fields)
  if (exception !== null && exception.stack !== null) return exception
  const stack = fields.take(bareStack, parseTrace)
  if (stack === null) return exception
  return exception === null ? fromText(stack) : { ...exception, stack }
}

function takeHeld(fields: Fields): Exception | null {
  for (const { text, message, stack, type } of holders) {
    const asText = fields.take(text, readThrown)
    if (asText !== null) return asText
    const said = fields.take(message, readText)
    const trace = fields.take(stack, readText)
    // A type alone is a class of error (OpenTelemetry's `error.type`), not something that was thrown.
    if (said !== null || trace !== null) return withStack(trace, said, fields.take(type, readName))
  }
  return null
}

function readThrown(value: Json): Exception | null {
  return typeof value === 'string' && value !== '' ? fromText(value) : null
}

function parseTrace(value: Json): string | null {
  return typeof value === 'string' && stackFrames(value).length > 0 ? value : null
}

function withStack(stack: string | null, message: string | null, type: string | null): Exception {
  const inStack = stack === null ? null : fromText(stack)
  return { type: type ?? inStack?.type ?? 'Error', message: message ?? inStack?.message ?? '', stack }
}

/** The text is known to tell of an exception, so the least that it says of one counts. */
function fromText(text: string): Exception {
  const told = exceptionInText(text)
  if (told !== null) return { ...told.exception, stack: told.exception.stack === null ? null : text }
  const [, type = 'Error', message = text] =
    /^(?:Uncaught )?([A-Z][\w.$]{0,100}): ([\s\S]*)$/.exec(text.slice(0, 10_000)) ?? []
  return stackFrames(text).length > 0 ? { type, message: '', stack: text } : { type, message, stack: null }
}
