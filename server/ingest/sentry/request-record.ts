import type { Attributes, Json } from '../../../shared/event.ts'
import { readStatus } from '../../events/read-record.ts'
import { object, present, text } from './json-fields.ts'
import { plainAttributes } from './plain-attributes.ts'
import { originOf, roundToMicroseconds, type Sender, serviceIn, timeOf } from './sender.ts'
import { tagsOf } from './tags.ts'
import { urlFields } from './url-fields.ts'
import { userFields } from './user-fields.ts'

/** The operation of a span that covers a request to a server (https://develop.sentry.dev/sdk/telemetry/traces/span-operations/). */
const serverOperation = 'http.server'

/** Approximate HTTP statuses for span statuses, because some SDKs send no HTTP status. */
const statusOfSpan: ReadonlyMap<string, number> = new Map([
  ['ok', 200],
  ['invalid_argument', 400],
  ['unauthenticated', 401],
  ['permission_denied', 403],
  ['not_found', 404],
  ['already_exists', 409],
  ['resource_exhausted', 429],
  ['cancelled', 499],
  ['internal_error', 500],
  ['unimplemented', 501],
  ['unavailable', 503],
  ['deadline_exceeded', 504],
])

/** The fields that `transactionRecords` and `transactionVitals` read. */
export const transactionFields: ReadonlySet<string> = new Set([
  ...['contexts', 'environment', 'event_id', 'measurements', 'release', 'request', 'server_name'],
  ...['start_timestamp', 'tags', 'timestamp', 'transaction', 'transaction_info', 'user'],
])

/** A request to a server, from a transaction or a streamed span. */
type ServerRequest = {
  name: string
  start: Json | undefined
  end: Json | undefined
  traceId: Json | undefined
  spanId: Json | undefined
  parentSpanId: Json | undefined
  method: string | null
  /** The route template, or `null` if only the path is known. */
  route: string | null
  status: number | null
  isError: boolean
  release: string | null
  namedService: string | null
  fields: Attributes
}

/** Converts a server transaction to a log record. Returns an empty list for other transactions, such as page loads. */
export function transactionRecords(transaction: Attributes, sender: Sender): Attributes[] {
  const contexts = object(transaction.contexts)
  const trace = object(contexts.trace)
  if (trace.op !== serverOperation) return []
  const data = object(trace.data)
  const tags = tagsOf(transaction.tags)
  const request = object(transaction.request)
  const name = text(transaction.transaction) ?? ''
  const { method, path } = splitName(name)
  const isPath = object(transaction.transaction_info).source === 'url'
  return [
    requestRecord(
      {
        name,
        start: transaction.start_timestamp,
        end: transaction.timestamp,
        traceId: trace.trace_id,
        spanId: trace.span_id,
        parentSpanId: trace.parent_span_id,
        method:
          method ?? text(data['http.request.method']) ?? text(data['http.method']) ?? text(request.method),
        route: text(data['http.route']) ?? (isPath ? null : path),
        status: statusOf(
          object(contexts.response).status_code,
          data['http.response.status_code'],
          data['http.status_code'],
          tags['http.status_code'],
          statusOfSpan.get(text(trace.status) ?? ''),
        ),
        isError: trace.status === 'internal_error',
        release: text(transaction.release),
        namedService: serviceIn(tags),
        fields: present({
          ...urlFields(request.url ?? data['url.full'] ?? data['http.url'] ?? data.url),
          'deployment.environment.name': transaction.environment,
          'host.name': transaction.server_name,
          ...userFields(transaction.user),
          tags,
        }),
      },
      sender,
    ),
  ]
}

/** Like `transactionRecords`, for a streamed span (https://develop.sentry.dev/sdk/telemetry/spans/span-protocol/). */
export function spanRecords(span: Attributes, sender: Sender): Attributes[] {
  const attributes = plainAttributes(span.attributes)
  if (attributes['sentry.op'] !== serverOperation) return []
  const status = statusOf(attributes['http.response.status_code'])
  return [
    requestRecord(
      {
        name: text(span.name) ?? '',
        start: span.start_timestamp,
        end: span.end_timestamp,
        traceId: span.trace_id,
        spanId: span.span_id,
        parentSpanId: span.parent_span_id,
        method: text(attributes['http.request.method']),
        route: text(attributes['http.route']),
        status,
        isError: span.status === 'error' && status === null,
        release: text(attributes['sentry.release']),
        namedService: serviceIn(attributes),
        fields: present({
          ...urlFields(attributes['url.full'] ?? attributes['url.path']),
          'deployment.environment.name': attributes['sentry.environment'],
          'host.name': attributes['host.name'],
          'user_agent.original': attributes['user_agent.original'],
          'client.address': attributes['client.address'],
          'user.id': attributes['user.id'],
          'user.email': attributes['user.email'],
          'user.name': attributes['user.name'],
        }),
      },
      sender,
    ),
  ]
}

function requestRecord(request: ServerRequest, sender: Sender): Attributes {
  const { name, method, route, status, fields } = request
  const [startMs, endMs] = [timeOf(request.start, sender), timeOf(request.end, sender)]
  const target = route ?? pathOf(fields['url.full'] ?? fields['url.path']) ?? splitName(name).path
  return {
    ...present({
      time: endMs ?? startMs,
      durationMs:
        startMs === null || endMs === null || endMs < startMs ? null : roundToMicroseconds(endMs - startMs),
      traceId: request.traceId,
      spanId: request.spanId,
      parentSpanId: request.parentSpanId,
      method,
      route,
      status,
    }),
    level: request.isError || (status ?? 0) >= 500 ? 'error' : 'info',
    msg: method === null ? name : [method, target, status].filter(part => part !== null).join(' '),
    ...originOf(sender, { named: request.namedService, release: request.release }),
    ...fields,
  }
}

/** Splits `GET /cart/:id`. A name without a method is a path or the name of a view. */
export function splitName(name: string): { method: string | null; path: string | null } {
  const [, method = null, path = null] = /^(?:([A-Z]{3,7}) )?(\S.*)$/.exec(name) ?? []
  return { method, path }
}

function statusOf(...values: (Json | undefined)[]): number | null {
  for (const value of values) {
    const status = readStatus(value ?? null)
    if (status !== null) return status
  }
  return null
}

function pathOf(url: Json | undefined): string | null {
  if (typeof url !== 'string') return null
  return URL.canParse(url) ? new URL(url).pathname : (url.split(/[?#]/, 1)[0] ?? null)
}
