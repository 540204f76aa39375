import type { Attributes, EventSource, Exception, NewEvent } from '../../shared/event.ts'
import type { Failures } from '../failures/failures.ts'
import { exceptionInText } from '../stacks/exception-in-text.ts'
import { type Clean, mostEntries } from './clean.ts'
import * as read from './read-record.ts'
import { Fields, firstNamesOf, isObject, pathsOf, readName, readText } from './take.ts'
import { digestInText, mayTellDigest, takeDigest } from './take-digest.ts'
import { exceptionPaths, takeException } from './take-exception.ts'

export type Normalise = (record: object, source: EventSource, nowMs: number) => NewEvent

/**
 * Makes what turns one structured record (pino's, OpenTelemetry's names, plain JSON) into an event: every field
 * that an event has a place for is moved there, all others are kept as attributes. The record may be of any
 * shape; without a message its event has the exception's or an empty body, without a time that of its arrival. Of
 * a message that is a trace the exception is taken, and the body is what it says besides. A field that can't be
 * what its name says (`status: "ok"`, a time in 1970) stays an attribute.
 */
export function createNormalise(clean: Clean, failures: Pick<Failures, 'fingerprint'>): Normalise {
  return (record, source, nowMs) => {
    const fields = new Fields(unwrapped(clean(knownFirst(record))))

    const timeMs = fields.take(times, value => read.readTime(value, nowMs)) ?? nowMs
    const severity =
      fields.take(levels, read.readLevel) ??
      fields.take(severityNames, read.readSeverity) ??
      fields.take(severityNumbers, read.readSeverityNumber)
    const thrown = takeException(fields)
    const message = fields.take(messages, readText)
    const told = thrown === null && message !== null ? exceptionInText(message) : null
    const exception = thrown ?? told?.exception ?? null
    const isFailure = exception !== null || severity === 'error' || severity === 'fatal'

    const event: NewEvent = {
      timeMs,
      severity: severity ?? (exception === null ? 'info' : 'error'),
      service: fields.take(services, readName) ?? 'unknown',
      release: fields.take(releases, readName),
      source,
      body: told?.summary ?? message ?? exception?.message ?? '',
      requestId: fields.take(requests, readName),
      traceId: fields.take(traces, readTraceId),
      spanId: fields.take(spans, readSpanId),
      method: fields.take(methods, read.readMethod),
      route: fields.take(routes, readName),
      status: fields.take(statuses, read.readStatus),
      durationMs: fields.take(durations, read.readDuration),
      exception,
      digest: takeDigest(fields, isFailure) ?? (isFailure ? digestIn(message, exception) : null),
      fingerprint: null,
      attributes: fields.left,
    }
    fields.trim([
      'req',
      'res',
      'request',
      'response',
      'err',
      'error',
      'exception',
      'http',
      'service',
      'resource',
      'next',
      'nextjs',
    ])
    event.fingerprint = fingerprintOf(event, failures)
    return event
  }
}

// pino: https://getpino.io/#/docs/api, OpenTelemetry: https://opentelemetry.io/docs/specs/semconv/
const times = pathsOf('time', 'timestamp', '@timestamp', 'ts', 'timeUnixNano', 'date', 'observedTimeUnixNano')
const levels = pathsOf('level', 'severityText', 'severity_text', 'log.level', 'lvl')
const severityNames = pathsOf('severity')
const severityNumbers = pathsOf('severityNumber', 'severity_number')
const messages = pathsOf('msg', 'message', 'body', 'event.message')
const services = pathsOf(
  'service.name',
  'serviceName',
  'service',
  'name',
  'resource.service.name',
  'resource.attributes.service.name',
  'app',
  'application',
)
const releases = pathsOf(
  'service.version',
  'serviceVersion',
  'release',
  'version',
  'resource.service.version',
  'resource.attributes.service.version',
)
const requests = pathsOf('reqId', 'requestId', 'request_id', 'req.id', 'request.id', 'http.request.id')
const traces = pathsOf('traceId', 'trace_id', 'traceID', 'trace.id')
const spans = pathsOf('spanId', 'span_id', 'spanID', 'span.id')
const methods = pathsOf('method', 'http.request.method', 'req.method', 'request.method', 'http.method')
const routes = pathsOf('route', 'http.route', 'req.routeOptions.url', 'req.route.path', 'req.route')
const statuses = pathsOf(
  'status',
  'statusCode',
  'http.response.status_code',
  'res.statusCode',
  'response.statusCode',
  'http.status_code',
)
const durations = pathsOf('durationMs', 'responseTime', 'duration_ms', 'duration', 'elapsedMs')

const readTraceId = read.readId(32)
const readSpanId = read.readId(16)

const known = new Set(
  firstNamesOf([
    ...[...times, ...levels, ...severityNames, ...severityNumbers, ...messages, ...services, ...releases],
    ...[...requests, ...traces, ...spans, ...methods, ...routes, ...statuses, ...durations],
    ...exceptionPaths,
  ]),
)

/** Of more fields than are kept the first ones are: what an event has a place for must be among them. */
function knownFirst(record: object): object {
  if (Object.keys(record).length <= mostEntries) return record
  const entries = Object.entries(record)
  const isKnown = ([key]: [string, unknown]) => known.has(key) || mayTellDigest(key)
  return Object.fromEntries([...entries.filter(isKnown), ...entries.filter(entry => !isKnown(entry))])
}

/** OpenTelemetry's attributes are as much the event's own as what stands beside them. */
function unwrapped(record: Attributes): Attributes {
  // Taking it apart costs as much as the rest of the work: few records have it.
  if (!Object.hasOwn(record, 'attributes')) return record
  const { attributes, ...rest } = record
  return isObject(attributes) ? { ...attributes, ...rest } : record
}

function digestIn(message: string | null, exception: Exception | null): string | null {
  return digestInText(message ?? '') ?? digestInText(exception?.stack ?? exception?.message ?? '')
}

/** An event that is no failure has none; Sixpane's own digest is the fingerprint already. */
function fingerprintOf(event: NewEvent, failures: Pick<Failures, 'fingerprint'>): string | null {
  const { digest, exception, body, route, source } = event
  if (digest === null && exception === null) return null
  if (source === 'own' && digest !== null && /^[0-9a-f]{10}$/.test(digest)) return digest
  return failures.fingerprint(exception ?? { type: 'Error', message: body, stack: null }, { body, route })
}
