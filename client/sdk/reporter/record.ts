import { objectWithKeys } from '../../../shared/object-with-keys.ts'
import { debugIdsIn } from './debug-ids.ts'
import { digestOf } from './digest.ts'

/** A request that failed on a server. `method`, `path` and `headers` are omitted if the request is not known. */
export type Failure = Readonly<{
  error: unknown
  method?: string | undefined
  /** May have a query string, which is not sent. */
  path?: string | undefined
  headers?: RequestHeaders | undefined
  /** The route's template: `/blog/[slug]`. */
  route?: string | undefined
  /** The status of the response. */
  status?: number | undefined
  /** The digest that the visitor sees; default: the error's `digest`. */
  digest?: string | undefined
  /** Further attributes of the event, such as `next.routeType`. */
  attributes?: Readonly<Record<string, string | undefined>>
}>

/** The headers of `node:http` or of the Fetch standard. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>> | FetchHeaders
type FetchHeaders = { get(name: string): string | null }

export const maxCauses = 10
const maxMessageLength = 16 * 1024
const maxStackLength = 64 * 1024

/**
 * Creates the log record of a failure. Omits the query string and all headers except `traceparent` and `x-request-id`,
 * because they may contain secrets.
 */
export function recordOf(failure: Failure, nowMs: number): object {
  const { error, method, path, headers = {}, route, status, digest = digestOf(error), attributes } = failure
  const thrown = exceptionOf(error)
  const [, traceId, spanId] = traceparent.exec(headerOf(headers, 'traceparent') ?? '') ?? []
  return {
    level: 'error',
    time: nowMs,
    msg: thrown.message,
    err: { ...thrown, digest },
    debugIds: thrown.stack === undefined ? undefined : debugIdsIn(thrown.stack),
    method,
    route,
    status,
    'url.path': path?.replace(/[?#].*$/s, ''),
    requestId: headerOf(headers, 'x-request-id'),
    traceId,
    spanId,
    ...attributes,
  }
}

/** https://www.w3.org/TR/trace-context/#traceparent-header-field-values */
const traceparent = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}/

function headerOf(headers: RequestHeaders, name: string): string | undefined {
  if (isFetchHeaders(headers)) return headers.get(name) ?? undefined
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

function isFetchHeaders(headers: RequestHeaders): headers is FetchHeaders {
  return typeof headers.get === 'function'
}

function exceptionOf(error: unknown) {
  const isError = isErrorLike(error)
  return {
    type: isError ? error.name : 'Error',
    message: (isError ? error.message : textOf(error)).slice(0, maxMessageLength),
    stack: isError ? stacksOf(error).slice(0, maxStackLength) : undefined,
  }
}

type ErrorLike = { name: string; message: string; stack: string; cause?: unknown; errors?: unknown }

/** Also accepts errors from the edge runtime's sandbox, which has its own `Error`. */
function isErrorLike(value: unknown): value is ErrorLike {
  if (typeof value !== 'object' || value === null) return false
  const isText = (name: string) => typeof Reflect.get(value, name) === 'string'
  return isText('name') && isText('message') && isText('stack')
}

/**
 * Joins the stacks of an error and its causes in pino's format. The first error of an `AggregateError` counts as its cause,
 * so that the stacks of a failed connection contain the address.
 */
function stacksOf(error: ErrorLike): string {
  const stacks: string[] = []
  let each: unknown = error
  while (isErrorLike(each) && stacks.length < maxCauses) {
    stacks.push(each.stack)
    each = each.cause ?? (Array.isArray(each.errors) ? each.errors[0] : undefined)
  }
  return stacks.join('\ncaused by: ')
}

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  try {
    return 'message' in value ? String(value.message) : JSON.stringify(value)
  } catch {
    // The object is circular or contains a BigInt.
    return objectWithKeys(Object.keys(value))
  }
}
