import type { EventSource, Exception, NewEvent } from '../../shared/event.ts'
import type { Failures } from '../failures/failures.ts'
import type { Clean } from './clean.ts'
import * as read from './read-record.ts'
import { Fields, readName, readText } from './take.ts'

export type Normalise = (record: object, source: EventSource, nowMs: number) => NewEvent

/**
 * Makes what turns one structured record (pino's, OpenTelemetry's names, plain JSON) into an event: every field
 * that an event has a place for is moved there, all others are kept as attributes. The record may be of any
 * shape; without a message its event has an empty body, without a time it has the one of its arrival.
 */
export function createNormalise(clean: Clean, failures: Pick<Failures, 'fingerprint'>): Normalise {
  return (record, source, nowMs) => {
    const fields = new Fields(clean(record))

    const timeMs = fields.take(times, value => read.readTime(value, nowMs)) ?? nowMs
    const severity =
      fields.take(
        ['level', 'severity', 'severityText', 'severity_text', 'log.level', 'lvl'],
        read.readLevel,
      ) ?? fields.take(['severityNumber', 'severity_number'], read.readSeverityNumber)
    const digest = fields.take(digests, readName)
    const exception = takeException(fields)
    const route = fields.take(['route', 'http.route', 'req.routeOptions.url', 'req.route.path'], readName)
    const body =
      fields.take(['msg', 'message', 'body', 'event.message'], readText) ?? exception?.message ?? ''

    const event: NewEvent = {
      timeMs,
      severity: severity ?? (exception === null ? 'info' : 'error'),
      service: fields.take(services, readName) ?? 'unknown',
      release: fields.take(releases, readName),
      source,
      body,
      requestId: fields.take(requests, readName),
      traceId: fields.take(['traceId', 'trace_id', 'traceID', 'trace.id', 'dd.trace_id'], read.readId(32)),
      spanId: fields.take(['spanId', 'span_id', 'spanID', 'span.id'], read.readId(16)),
      method: fields.take(['method', 'http.request.method', 'req.method', 'http.method'], read.readMethod),
      route,
      status: fields.take(statuses, read.readStatus),
      durationMs: fields.take(durations, read.readDuration),
      exception,
      digest,
      fingerprint: null,
      attributes: fields.left,
    }
    fields.trim(['req', 'res', 'err', 'error', 'exception', 'http', 'service', 'resource'])
    event.fingerprint = fingerprintOf(event, failures)
    return event
  }
}

const times = ['time', 'timestamp', '@timestamp', 'ts', 'timeUnixNano', 'date']
const digests = ['digest', 'err.digest', 'error.digest', 'exception.digest']
const services = [
  'service.name',
  'serviceName',
  'service',
  'name',
  'resource.service.name',
  'app',
  'application',
]
const releases = ['service.version', 'serviceVersion', 'release', 'version', 'resource.service.version']
const requests = ['reqId', 'requestId', 'request_id', 'req.id', 'request.id', 'http.request.id']
const statuses = ['status', 'statusCode', 'http.response.status_code', 'res.statusCode', 'http.status_code']
const durations = ['durationMs', 'responseTime', 'duration_ms', 'duration', 'elapsedMs']

function takeException(fields: Fields): Exception | null {
  const whole = fields.take(['err', 'error', 'exception'], read.readException)
  if (whole !== null) return whole
  // OpenTelemetry's names: https://opentelemetry.io/docs/specs/semconv/exceptions/exceptions-logs/
  const type = fields.take(['exception.type', 'error.type'], readName)
  const message = fields.take(['exception.message', 'error.message'], readText)
  const stack = fields.take(['exception.stacktrace', 'exception.stack', 'error.stack', 'stack'], readText)
  if (type === null && message === null && stack === null) return null
  const inStack = stack === null ? null : read.readException(stack)
  return { type: type ?? inStack?.type ?? 'Error', message: message ?? inStack?.message ?? '', stack }
}

/** An event that is no failure has none; Sixpane's own digest is the fingerprint already. */
function fingerprintOf(event: NewEvent, failures: Pick<Failures, 'fingerprint'>): string | null {
  const { digest, exception, body, route, source } = event
  if (digest === null && exception === null) return null
  if (source === 'own' && digest !== null && /^[0-9a-f]{10}$/.test(digest)) return digest
  return failures.fingerprint(exception ?? { type: 'Error', message: body, stack: null }, { body, route })
}
