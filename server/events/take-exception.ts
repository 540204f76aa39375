import type { Exception, Json } from '../../shared/event.ts'
import * as names from '../../shared/field-names.ts'
import { exceptionInText } from '../stacks/exception-in-text.ts'
import { stackFrames } from '../stacks/stack.ts'
import { maxTextLength } from './clean.ts'
import { Fields, isObject, pathsOf, readName, readText } from './take.ts'

const within = (name: string, parts: readonly string[]) => parts.map(part => `${name}.${part}`)

const holders = names.errorNames.map(name => ({
  name,
  text: pathsOf([name]),
  message: pathsOf(within(name, names.errorMessageNames)),
  stack: pathsOf(within(name, names.errorStackNames)),
  type: pathsOf(within(name, names.errorTypeNames)),
}))
const stacks = pathsOf(names.stackNames)

/** The names of all fields that `takeException` reads. */
export const exceptionNames = [
  ...names.errorNames.flatMap(name =>
    within(name, [...names.errorMessageNames, ...names.errorStackNames, ...names.errorTypeNames]),
  ),
  ...names.stackNames,
]

/**
 * Removes the exception from a record and returns it. The exception may be text, an object with a message and a stack, or a
 * stack next to the record's message. The other fields of an object (`code`, `cause`) remain. Returns `null` if there is no
 * exception.
 */
export function takeException(fields: Fields): Exception | null {
  const exception = takeFromErrorField(fields)
  if (exception !== null && exception.stack !== null) return exception
  const stack = fields.take(stacks, parseTrace)
  if (stack === null) return exception
  return exception === null ? fromText(stack) : { ...exception, stack }
}

/** Takes the exception from a message that is an object, as in AWS Lambda's JSON format. */
export function takeExceptionInMessage({ remaining: { message } }: Fields): Exception | null {
  return isObject(message) ? takeException(new Fields(message)) : null
}

function takeFromErrorField(fields: Fields): Exception | null {
  for (const { name, text, message, stack, type } of holders) {
    const asText = fields.take(text, readThrown)
    if (asText !== null) return asText
    const messageText = fields.take(message, readText)
    const trace = fields.take(stack, readStack)
    // A type alone is an error class (OpenTelemetry's `error.type`), not an exception.
    if (messageText !== null || trace !== null)
      return withStack(withCauses(trace, fields.remaining[name]), messageText, fields.take(type, readName))
  }
  return null
}

function readThrown(value: Json): Exception | null {
  return typeof value === 'string' && value !== '' ? fromText(value) : null
}

const maxCauses = 10

/** Adds the stacks of the causes, which some serializers send as nested objects (pino's `errWithCause`). */
function withCauses(stack: string | null, error: Json | undefined): string | null {
  if (stack === null || !isObject(error)) return stack
  const stacks = [stack]
  let cause = error.cause
  while (isObject(cause) && stacks.length <= maxCauses) {
    const causeStack = readStack(cause.stack ?? null)
    // Other serializers send the object in addition to a stack that contains the cause.
    if (causeStack === null || stack.includes(causeStack) || stackFrames(causeStack).length === 0) break
    stacks.push(causeStack)
    cause = cause.cause
  }
  return stacks.join('\ncaused by: ').slice(0, maxTextLength)
}

function parseTrace(value: Json): string | null {
  const stack = readStack(value)
  return stack !== null && stackFrames(stack).length > 0 ? stack : null
}

/** AWS Lambda, Ruby's loggers and some serializers send a list of lines. */
function readStack(value: Json): string | null {
  if (!Array.isArray(value)) return readText(value)
  const isText = value.length > 0 && value.every(line => typeof line === 'string')
  return isText ? readText(value.join('\n').slice(0, maxTextLength)) : null
}

function withStack(stack: string | null, message: string | null, type: string | null): Exception {
  const inStack = stack === null ? null : fromText(stack)
  return { type: betterType(type, inStack), message: message ?? inStack?.message ?? '', stack }
}

/**
 * Loggers and OpenTelemetry send the name of the class, which a minifier shortens to a few letters (`n`). The first line of
 * the stack then contains the name of the error. A short name such as `DB` stays if the stack contains no name other than
 * `Error`.
 */
function betterType(type: string | null, inStack: Exception | null): string {
  if (type === null) return inStack?.type ?? 'Error'
  const isShort = type.length <= 3
  return isShort && inStack !== null && inStack.type.length > 3 && inStack.type !== 'Error'
    ? inStack.type
    : type
}

/** Parses less strictly than `exceptionInText`, because the field name already identifies the text as an exception. */
function fromText(text: string): Exception {
  const parsed = exceptionInText(text)
  if (parsed !== null) return { ...parsed.exception, stack: parsed.exception.stack === null ? null : text }
  const [, type = 'Error', message = text] =
    /^(?:Uncaught )?([A-Z][\w.$]{0,100}): ([\s\S]*)$/.exec(text.slice(0, 10_000)) ?? []
  return stackFrames(text).length > 0 ? { type, message: '', stack: text } : { type, message, stack: null }
}
