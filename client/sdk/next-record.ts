import { debugIdsIn } from './server-debug-ids.ts'

// The parts of the Next.js 15 and 16 types that we use:
// https://github.com/vercel/next.js/blob/canary/packages/next/src/server/instrumentation/types.ts

/** The request that failed. */
export type FailedRequest = Readonly<{
  path: string
  method: string
  headers: Readonly<Record<string, string | string[] | undefined>>
}>

/** The route that failed. */
export type FailedIn = Readonly<{
  routerKind: string
  /** The path of the route's file: `/blog/[slug]`. */
  routePath: string
  /** `render`, `route`, `action`, `middleware`, `proxy` */
  routeType: string
  renderSource?: string | undefined
  revalidateReason?: string | undefined
}>

const maxCauses = 10
const maxStackLength = 64 * 1024

/**
 * Creates the log record of a failure. Contains only ids from the headers and no query string, because the rest may be
 * secret.
 */
export function recordOf(error: unknown, request: FailedRequest, context: FailedIn, nowMs: number): object {
  const thrown = exceptionOf(error)
  const [, traceId, spanId] = traceparent.exec(headerOf(request, 'traceparent') ?? '') ?? []
  return {
    level: 'error',
    time: nowMs,
    msg: thrown.message,
    err: thrown,
    debugIds: thrown.stack === undefined ? undefined : debugIdsIn(thrown.stack),
    method: request.method,
    route: context.routePath,
    'url.path': request.path.replace(/[?#].*$/s, ''),
    requestId: headerOf(request, 'x-request-id'),
    traceId,
    spanId,
    'next.routerKind': context.routerKind,
    'next.routeType': context.routeType,
    'next.renderSource': context.renderSource,
    'next.revalidateReason': context.revalidateReason,
  }
}

/** https://www.w3.org/TR/trace-context/#traceparent-header-field-values */
const traceparent = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}/

function headerOf({ headers }: FailedRequest, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

function exceptionOf(error: unknown) {
  if (!isErrorLike(error))
    return { type: 'Error', message: textOf(error), stack: undefined, digest: digestOf(error) }
  const stack = stacksOf(error).slice(0, maxStackLength)
  return { type: error.name, message: error.message, stack, digest: digestOf(error) }
}

type ErrorLike = { name: string; message: string; stack: string; cause?: unknown }

/** Also accepts errors from the edge runtime's sandbox, which has its own `Error`. */
function isErrorLike(value: unknown): value is ErrorLike {
  if (typeof value !== 'object' || value === null) return false
  const isText = (name: string) => typeof Reflect.get(value, name) === 'string'
  return isText('name') && isText('message') && isText('stack')
}

/** Joins the stacks of an error and its causes in pino's format. */
function stacksOf(error: ErrorLike): string {
  const stacks: string[] = []
  let each: unknown = error
  while (isErrorLike(each) && stacks.length < maxCauses) {
    stacks.push(each.stack)
    each = each.cause
  }
  return stacks.join('\ncaused by: ')
}

/** The digest shown to the visitor. */
function digestOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('digest' in error)) return undefined
  return typeof error.digest === 'string' ? error.digest : undefined
}

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return 'message' in value ? String(value.message) : JSON.stringify(value)
}
