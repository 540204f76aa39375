import type { BrowserError } from '../../shared/browser-report.ts'

/** Limits that keep a report small enough for `sendBeacon`. */
const maxMessageLength = 4000
const maxStackLength = 20_000
const maxComponentStackLength = 4000
const maxCauses = 5

/** The second parameter of React's `componentDidCatch` and of the error handlers of a React root. */
export type ErrorInfo = { componentStack?: string | null | undefined }

type ErrorLike = Partial<
  Record<
    'name' | 'message' | 'stack' | 'cause' | 'errors' | 'digest' | '_debugIds' | '_sentryDebugIds',
    unknown
  >
>

type ErrorDescription = Omit<BrowserError, 'trigger'>

/**
 * Describes any thrown value. Never throws.
 * @param position where it was thrown, used if the value has no stack
 */
export function describeError(thrown: unknown, position = '', info?: ErrorInfo): ErrorDescription {
  try {
    return describe(thrown, position, info)
  } catch {
    // A revoked proxy, or a getter that throws.
    return { type: typeof thrown, message: '', stack: '' }
  }
}

function describe(thrown: unknown, position: string, info?: ErrorInfo): ErrorDescription {
  const { name, message, digest }: ErrorLike = Object(thrown)
  const isError = typeof message === 'string'
  const stack = (stackOf(thrown) || (position && `    at ${position}`)).slice(0, maxStackLength)
  return {
    type: isError ? String(name ?? 'Error') : typeof thrown,
    message: (isError ? message : summaryOf(thrown)).slice(0, maxMessageLength),
    stack,
    digest: typeof digest === 'string' ? digest : undefined,
    debugIds: debugIdsIn(stack),
    componentStack: info?.componentStack?.slice(0, maxComponentStackLength),
  }
}

/** Joins the stacks of an error and its causes in pino's format. */
function stackOf(thrown: unknown): string {
  let all = ''
  let each = thrown
  for (let depth = 0; depth < maxCauses && each; depth++) {
    const { name, message, stack, cause, errors }: ErrorLike = Object(each)
    if (typeof stack === 'string') {
      // Only V8 includes the name and the message in the stack.
      const head = stack.includes(`${message}`) ? '' : `${name}: ${message}\n`
      all += `${all && '\ncaused by: '}${head}${stack}`
    }
    each = cause ?? Object(errors)[0]
  }
  return all
}

/** If a thrown object is not an error, the summary contains only its property names, because the values may be secret. */
function summaryOf(thrown: unknown): string {
  return Object(thrown) === thrown
    ? `${{}.toString.call(thrown)} ${Object.keys(Object(thrown))}`
    : String(thrown)
}

/**
 * Returns the debug ids of the files in a stack, if a bundler added them. Each file registers its id under a stack trace
 * that contains its URL (https://github.com/tc39/ecma426/blob/main/proposals/debug-id.md).
 */
function debugIdsIn(stack: string): Record<string, string> | undefined {
  const { _debugIds, _sentryDebugIds }: ErrorLike = Object(globalThis)
  let debugIds: Record<string, string> | undefined
  for (const [text, id] of Object.entries(Object.assign({}, _debugIds, _sentryDebugIds))) {
    const file = /\w+:\/\/\S+?(?=:\d+:\d)/.exec(text)?.[0]
    if (file && stack.includes(file)) debugIds = { ...debugIds, [file]: String(id) }
  }
  return debugIds
}
