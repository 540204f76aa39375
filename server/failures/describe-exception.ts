import type { Exception } from '../../shared/event.ts'
import { objectWithKeys } from '../../shared/object-with-keys.ts'
import { formatFrame, parseStack } from '../stacks/stack.ts'

const maxTypeLength = 200
const maxMessageLength = 4000
/** Maximum length of the message in a stack's first line. */
const maxHeadLength = 1000
const maxStackLength = 16_000
/** Maximum number of errors to describe: the thrown value and its causes at any depth. */
const maxErrors = 5

/**
 * Describes any thrown value. Joins the messages of an error and its causes as pino does (`a: b`), and the stacks with
 * `caused by:`. Never throws, because it ignores getters and proxies that throw.
 */
export function exceptionOf(thrown: unknown): Exception {
  const errors = withCauses(thrown).map(describeOne)
  const messages = errors.map(({ message }) => message).filter(message => message !== '')
  const stacks = errors.flatMap(({ stack }) => stack ?? [])
  return {
    type: errors[0]?.type ?? 'Error',
    message: messages.join(': ').slice(0, maxMessageLength),
    stack: stacks.length === 0 ? null : stacks.join('\ncaused by: ').slice(0, maxStackLength),
  }
}

/** Formats and limits an exception reported by a browser in the same way as a thrown value. */
export function reportedException({ type, message, stack }: Exception): Exception {
  return withinLimits(type, message, stack)
}

function withCauses(thrown: unknown): unknown[] {
  const errors = [thrown]
  for (const error of errors) {
    const causes = [property(error, 'cause'), ...firstErrors(property(error, 'errors'))]
    for (const cause of causes) {
      if (errors.length < maxErrors && isObject(cause) && !errors.includes(cause)) errors.push(cause)
    }
  }
  return errors
}

function describeOne(thrown: unknown): Exception {
  if (!isObject(thrown)) {
    return withinLimits(thrown === null ? 'null' : typeof thrown, attempt(() => String(thrown)) ?? '', null)
  }
  const message = text(property(thrown, 'message')) ?? describeKeys(thrown)
  return withinLimits(typeOf(thrown), message, text(property(thrown, 'stack')))
}

/** Limits the lengths. Rewrites the first lines of the stack, because they repeat the entire message. */
function withinLimits(type: string, message: string, stack: string | null): Exception {
  const frames = parseStack(stack ?? '').flatMap(({ frame }) => (frame === null ? [] : formatFrame(frame)))
  const limited = { type: type.slice(0, maxTypeLength), message: message.slice(0, maxMessageLength) }
  const head = `${limited.type}: ${message.slice(0, maxHeadLength)}`
  return { ...limited, stack: frames.length === 0 ? null : [head, ...frames].join('\n') }
}

function typeOf(thrown: object): string {
  const name = text(property(thrown, 'name'))
  const className = text(property(property(thrown, 'constructor'), 'name'))
  // An instance of a subclass is named `Error` unless the class sets the name.
  const type = name === null || name === '' || name === 'Error' ? className : name
  return type || name || 'Object'
}

function describeKeys(thrown: object): string {
  const keys = attempt(() => Object.keys(thrown).slice(0, 10)) ?? []
  return keys.length === 0 ? '' : objectWithKeys(keys)
}

function firstErrors(errors: unknown): unknown[] {
  return attempt(() => (Array.isArray(errors) ? errors.slice(0, maxErrors) : [])) ?? []
}

function property(value: unknown, name: string): unknown {
  return attempt(() => (isObject(value) ? Reflect.get(value, name) : null))
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
