import type { Exception } from '../../shared/event.ts'
import { formatFrame, parseStack } from '../stacks/stack.ts'

const maxTypeLength = 200
const maxMessageLength = 4000
/** Of the message, where it stands over a stack. */
const maxHeadLength = 1000
const maxStackLength = 16_000
/** Causes, and causes of causes, that are told of. */
const maxErrors = 5

/**
 * What is to be said of a value that was thrown, whatever it is: the messages of its causes joined as pino joins
 * them (`a: b`), their stacks by `caused by:`. Never throws: getters and proxies that do are passed over.
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

/** An exception that a browser told of, in the same form and within the same bounds. */
export function reportedException({ type, message, stack }: Exception): Exception {
  return inBounds(type, message, stack)
}

function withCauses(thrown: unknown): unknown[] {
  const found = [thrown]
  for (const error of found) {
    const causes = [property(error, 'cause'), ...listed(property(error, 'errors'))]
    for (const cause of causes) {
      if (found.length < maxErrors && isObject(cause) && !found.includes(cause)) found.push(cause)
    }
  }
  return found
}

function describeOne(thrown: unknown): Exception {
  if (!isObject(thrown)) {
    return inBounds(thrown === null ? 'null' : typeof thrown, attempt(() => String(thrown)) ?? '', null)
  }
  const message = text(property(thrown, 'message')) ?? outline(thrown)
  return inBounds(typeOf(thrown), message, text(property(thrown, 'stack')))
}

/** The runtime's own first lines of a stack repeat the message at any length: they are written anew. */
function inBounds(type: string, message: string, stack: string | null): Exception {
  const frames = parseStack(stack ?? '').flatMap(({ frame }) => (frame === null ? [] : formatFrame(frame)))
  const bounded = { type: type.slice(0, maxTypeLength), message: message.slice(0, maxMessageLength) }
  const head = `${bounded.type}: ${message.slice(0, maxHeadLength)}`
  return { ...bounded, stack: frames.length === 0 ? null : [head, ...frames].join('\n') }
}

function typeOf(thrown: object): string {
  const name = text(property(thrown, 'name'))
  const className = text(property(property(thrown, 'constructor'), 'name'))
  // A class that extends Error keeps its name unless it sets another.
  const type = name === null || name === '' || name === 'Error' ? className : name
  return type || name || 'Object'
}

/** Something else than an error: its keys say what it may be, its values may be anybody's secret. */
function outline(thrown: object): string {
  const keys = attempt(() => Object.keys(thrown).slice(0, 10)) ?? []
  return keys.length === 0 ? '' : `thrown with ${keys.join(', ')}`
}

function listed(errors: unknown): unknown[] {
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
