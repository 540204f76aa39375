import type { Attributes, Json } from '../../shared/event.ts'
import * as names from '../../shared/field-names.ts'
import { isObject, readText } from '../../shared/read-value.ts'
import { platformOf, readFrameList, readLocation } from '../stacks/frame-list.ts'
import { stackFrames } from '../stacks/stack.ts'
import { stackText } from '../stacks/stack-text.ts'
import type { ThrownException, ThrownFrame } from '../stacks/thrown-exception.ts'
import { maxTextLength } from './clean.ts'

/** A stack as text, or as frames in the order in which they were logged. */
export type Stack = string | readonly ThrownFrame[]

/** The parts of an error object. */
export type ErrorParts = { type: string | null; message: string | null; stack: Stack | null }

const maxCauses = 10

/** Reads text, a list of lines (AWS Lambda, Ruby's loggers) or a list of frames (zerolog, log4j2, tslog). */
export function readStack(value: Json): Stack | null {
  return Array.isArray(value) ? readListedStack(value) : readText(value)
}

/** Like `readStack`, but ignores text. */
export function readListedStack(value: Json): Stack | null {
  if (!Array.isArray(value)) return null
  const frames = readFrameList(value)
  if (frames !== null) return frames
  const isText = value.length > 0 && value.every(line => typeof line === 'string')
  return isText ? readText(value.join('\n').slice(0, maxTextLength)) : null
}

/** Reads a list of an error and its causes, as written by structlog. Returns `null` for any other value. */
export function readErrors(value: Json | undefined): ErrorParts[] | null {
  if (!Array.isArray(value) || !value.every(each => isObject(each))) return null
  const errors = value.slice(0, maxCauses + 1).map(readError)
  const isThrown = errors.every(({ type }) => type !== null) && errors.some(({ stack }) => stack !== null)
  return isThrown ? errors : null
}

/**
 * Reads the causes that serializers nest in an error (pino's `errWithCause`, log4j2, Monolog). If an `AggregateError` has no
 * cause, its first error is the cause, as in the reports that the `sixpane` package sends.
 */
export function readCauses(error: Json | undefined): ErrorParts[] {
  const causes: ErrorParts[] = []
  let cause = causeIn(error)
  while (cause !== undefined && causes.length < maxCauses) {
    causes.push(isObject(cause) ? readError(cause) : { type: null, message: null, stack: readText(cause) })
    cause = causeIn(cause)
  }
  return causes
}

function causeIn(error: Json | undefined): Json | undefined {
  if (!isObject(error)) return undefined
  const [firstError] = Array.isArray(error.aggregateErrors) ? error.aggregateErrors : []
  return [...names.causeNames.map(name => error[name]), firstError].find(
    cause => isObject(cause) || typeof cause === 'string',
  )
}

function readError(error: Attributes): ErrorParts {
  return {
    type: firstOf(error, names.errorTypeNames, readText),
    message: firstOf(error, names.errorMessageNames, readText),
    stack: withLocation(
      error,
      firstOf(error, names.errorStackNames, readStack) ??
        firstOf(error, names.errorFramesNames, readListedStack),
    ),
  }
}

/**
 * Adds the location where the error was thrown to a list of frames. PHP's loggers write this location in a separate field
 * (`file: '/app/cart.php:5'`).
 */
export function withLocation(error: Json | undefined, stack: Stack | null): Stack | null {
  if (typeof stack === 'string' || !isObject(error)) return stack
  const location = typeof error.file === 'string' ? readLocation(error.file) : null
  return location === null ? stack : [location, ...(stack ?? [])]
}

function firstOf<Value>(fields: Attributes, keys: readonly string[], read: (value: Json) => Value | null) {
  for (const key of keys) {
    const value = fields[key] === undefined ? null : read(fields[key])
    if (value !== null) return value
  }
  return null
}

/** Returns the stacks of an error and its causes as text, in the format that their runtime prints. */
export function printStack(error: ErrorParts, causes: readonly ErrorParts[]): string | null {
  const { stack } = error
  if (stack === null) return null
  const text = typeof stack === 'string' ? withCauses(stack, causes) : printFrames([error, ...causes])
  return text?.slice(0, maxTextLength) ?? null
}

function withCauses(stack: string, causes: readonly ErrorParts[]): string {
  const stacks = [stack]
  for (const { stack: cause } of causes) {
    // Some serializers send the causes in addition to a stack that contains them.
    if (typeof cause !== 'string' || stack.includes(cause) || stackFrames(cause).length === 0) break
    stacks.push(cause)
  }
  return stacks.join('\ncaused by: ')
}

function printFrames(errors: readonly ErrorParts[]): string | null {
  const chain = errors.map(toThrown)
  return stackText(chain, platformOf(chain.flatMap(({ frames }) => frames)))
}

function toThrown({ type, message, stack }: ErrorParts): ThrownException {
  const frames = stack === null || typeof stack === 'string' ? [] : stack
  return {
    type: type ?? 'Error',
    message: message ?? '',
    module: null,
    // Like printed tracebacks, lists from Python have the innermost call last.
    frames: platformOf(frames) === 'python' ? frames : frames.toReversed(),
  }
}
