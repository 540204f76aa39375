import type { NewEvent } from '../../../shared/event.ts'
import type { Normalise } from '../../events/normalise.ts'
import { readStatus } from '../../events/read-record.ts'
import { FlatRecord, idOf } from './flat-record.ts'
import type { Nanos, Scoped, Span, SpanEvent } from './model.ts'

// https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
const serverKind = 2
const errorCode = 2

/**
 * Gives what makes events of the spans of one export. A server span is a request that was answered. An exception is
 * an event too, whatever span it was recorded in: frameworks record it in that of the handler, inside of the
 * server's. Of what else traces hold nothing is made.
 */
export function createSpanEvents(
  normalise: Normalise,
  nowMs: number,
): (scoped: Scoped<Span>) => Iterable<NewEvent> {
  const thrown = new Map<string, NewEvent>()

  /** An exception that passes through several spans is recorded in each, innermost first: it was one all the same. */
  const isNew = (event: NewEvent) => {
    const { traceId, exception } = event
    if (traceId === null || exception === null) return true
    const key = JSON.stringify([traceId, event.service, exception.type, exception.message, exception.stack])
    const first = thrown.get(key)
    if (first === undefined) {
      thrown.set(key, event)
      return true
    }
    // The inner span knew nothing of the request.
    first.method ??= event.method
    first.route ??= event.route
    first.requestId ??= event.requestId
    return false
  }

  return function* eventsOf(scoped) {
    const request = isRequest(scoped.item) ? requestOf(scoped, normalise, nowMs) : null
    if (request !== null) yield request
    for (const each of scoped.item.events) {
      if (!isException(each)) continue
      const event = exceptionOf(each, scoped, request, normalise, nowMs)
      if (isNew(event)) yield event
    }
  }
}

/** How many events a span becomes, each exception being a new one. */
export function countSpanEvents(span: Span): number {
  return span.events.filter(isException).length + (isRequest(span) ? 1 : 0)
}

function isRequest({ kind }: Span): boolean {
  return kind === serverKind
}

function isException({ name }: SpanEvent): boolean {
  return name === 'exception'
}

/** As a server's log would tell of it: when it was answered, with the semantic conventions of old and new for the rest. */
function requestOf(scoped: Scoped<Span>, normalise: Normalise, nowMs: number): NewEvent {
  const { status, attributes, ...span } = scoped.item
  const answered =
    readStatus(attributes['http.response.status_code'] ?? null) ??
    readStatus(attributes['http.status_code'] ?? null)
  const isError = status.code === errorCode || (answered ?? 0) >= 500

  const record = begin(
    scoped.item,
    span.endTimeUnixNano === 0 ? span.startTimeUnixNano : span.endTimeUnixNano,
  )
  record.say('level', isError ? 'error' : 'info')
  record.say('msg', span.name)
  record.fields.durationMs = durationMs(span.startTimeUnixNano, span.endTimeUnixNano)
  record.say('span.name', span.name)
  record.say('parentSpanId', idOf(span.parentSpanId))
  if (status.code === errorCode) record.say('otel.status_code', 'ERROR')
  record.say('otel.status_description', status.message)
  record.say('otel.dropped_attributes_count', span.droppedAttributesCount)
  record.add('resource', scoped.resource)
  record.add('attributes', attributes)
  record.addScope(scoped.scope)

  const event = normalise(record.fields, 'otlp', nowMs)
  if (event.method !== null) {
    const what = event.route ?? pathOf(event)
    event.body = [event.method, what, event.status].filter(part => part !== null).join(' ')
  }
  return event
}

function exceptionOf(
  event: SpanEvent,
  { resource, scope, item: span }: Scoped<Span>,
  request: NewEvent | null,
  normalise: Normalise,
  nowMs: number,
): NewEvent {
  const record = begin(span, event.timeUnixNano === 0 ? span.endTimeUnixNano : event.timeUnixNano)
  record.say('level', 'error')
  const {
    'exception.type': type = null,
    'exception.message': message = '',
    'exception.stacktrace': stack = '',
  } = event.attributes
  if (message === '' && stack === '') record.say('exception.message', type)
  // Without status and duration, which would count the request twice.
  record.say('reqId', request?.requestId ?? null)
  record.say('method', request?.method ?? null)
  record.say('route', request?.route ?? null)
  record.add('resource', resource)
  record.add('attributes', event.attributes)
  record.addScope(scope)
  return normalise(record.fields, 'otlp', nowMs)
}

function begin(span: Span, time: Nanos): FlatRecord {
  const record = new FlatRecord()
  record.say('time', time)
  record.say('traceId', idOf(span.traceId))
  record.say('spanId', idOf(span.spanId))
  return record
}

function durationMs(start: Nanos, end: Nanos): number | null {
  if (typeof start === 'string' || typeof end === 'string' || start === 0 || end < start) return null
  return Math.round((end - start) / 1000) / 1000
}

function pathOf({ attributes }: NewEvent): string | null {
  const path = attributes['url.path'] ?? attributes['http.target'] ?? attributes['http.url']
  return typeof path === 'string' ? (path.split('?', 1)[0] ?? null) : null
}
