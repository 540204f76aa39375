import type { NewEvent } from '../../../shared/event.ts'
import type { Normalise } from '../../events/normalise.ts'
import { readStatus } from '../../events/read-record.ts'
import { requestPath } from '../../store/common/request-path.ts'
import { FlatRecord, idOf } from './flat-record.ts'
import type { Nanos, Scoped, Span, SpanEvent } from './model.ts'

// https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
const serverKind = 2
const errorCode = 2

/**
 * Creates the function that converts the spans of one export to events. A server span becomes a request. An exception in
 * any span becomes an event, because frameworks record exceptions in the handler's span, inside the server span.
 * Everything else in a trace is ignored.
 */
export function createSpanEvents(
  normalise: Normalise,
  nowMs: number,
): (scoped: Scoped<Span>) => Iterable<NewEvent> {
  const thrown = new Map<string, NewEvent>()

  /** An exception that passes through several spans is recorded in each, innermost first, but must be counted once. */
  const isNew = (event: NewEvent) => {
    const { traceId, exception } = event
    if (traceId === null || exception === null) return true
    const key = JSON.stringify([traceId, event.service, exception.type, exception.message, exception.stack])
    const first = thrown.get(key)
    if (first === undefined) {
      thrown.set(key, event)
      return true
    }
    // The first event comes from the inner span, which has no request fields.
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

/** Returns the maximum number of events that a span can produce. */
export function countSpanEvents(span: Span): number {
  return span.events.filter(isException).length + (isRequest(span) ? 1 : 0)
}

function isRequest({ kind }: Span): boolean {
  return kind === serverKind
}

function isException({ name }: SpanEvent): boolean {
  return name === 'exception'
}

/** Converts a server span to a request event with the span's end time. Supports old and new semantic conventions. */
function requestOf(scoped: Scoped<Span>, normalise: Normalise, nowMs: number): NewEvent {
  const { status, attributes, ...span } = scoped.item
  const httpStatus =
    readStatus(attributes['http.response.status_code'] ?? null) ??
    readStatus(attributes['http.status_code'] ?? null)
  const isError = status.code === errorCode || (httpStatus ?? 0) >= 500

  const record = startRecord(
    scoped.item,
    span.endTimeUnixNano === 0 ? span.startTimeUnixNano : span.endTimeUnixNano,
  )
  record.set('level', isError ? 'error' : 'info')
  record.set('msg', span.name)
  record.fields.durationMs = durationMs(span.startTimeUnixNano, span.endTimeUnixNano)
  record.set('span.name', span.name)
  if (status.code === errorCode) record.set('otel.status_code', 'ERROR')
  record.set('otel.status_description', status.message)
  record.set('otel.dropped_attributes_count', span.droppedAttributesCount)
  record.add('resource', scoped.resource)
  record.add('attributes', attributes)
  record.addScope(scoped.scope)

  const event = normalise(record.fields, 'otlp', nowMs)
  if (event.method !== null) {
    const target = event.route ?? requestPath(event)
    event.body = [event.method, target, event.status].filter(part => part !== null).join(' ')
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
  const record = startRecord(span, event.timeUnixNano === 0 ? span.endTimeUnixNano : event.timeUnixNano)
  record.set('level', 'error')
  const {
    'exception.type': type = null,
    'exception.message': message = '',
    'exception.stacktrace': stack = '',
  } = event.attributes
  if (message === '' && stack === '') record.set('exception.message', type)
  // Omit the status and the duration; otherwise, the event would be counted as another request.
  record.set('reqId', request?.requestId ?? null)
  record.set('method', request?.method ?? null)
  record.set('route', request?.route ?? null)
  record.add('resource', resource)
  record.add('attributes', event.attributes)
  record.addScope(scope)
  return normalise(record.fields, 'otlp', nowMs)
}

function startRecord(span: Span, time: Nanos): FlatRecord {
  const record = new FlatRecord()
  record.set('time', time)
  record.set('traceId', idOf(span.traceId))
  record.set('spanId', idOf(span.spanId))
  record.set('parentSpanId', idOf(span.parentSpanId))
  return record
}

function durationMs(start: Nanos, end: Nanos): number | null {
  if (typeof start === 'string' || typeof end === 'string' || start === 0 || end < start) return null
  return Math.round((end - start) / 1000) / 1000
}
