/**
 * The names under which log records carry the fields of an event, in order of precedence: pino's
 * (https://getpino.io/#/docs/api), OpenTelemetry's (https://opentelemetry.io/docs/specs/semconv/) and those of other
 * common loggers. A dot may be part of a name or stand for nesting: `req.method` is also `{ req: { method } }`.
 */

export const timeNames = [
  'time',
  'timestamp',
  '@timestamp',
  'ts',
  'timeUnixNano',
  'date',
  'observedTimeUnixNano',
]
/** A word, or a number as pino or syslog counts. */
export const levelNames = ['level', 'severityText', 'severity_text', 'log.level', 'lvl']
/** A word, or a number as OpenTelemetry counts. */
export const severityNames = ['severity']
/** A number as OpenTelemetry counts. */
export const severityNumberNames = ['severityNumber', 'severity_number']
export const messageNames = ['msg', 'message', 'body', 'event.message']
export const serviceNames = [
  'service.name',
  'serviceName',
  'service',
  'name',
  'resource.service.name',
  'resource.attributes.service.name',
  'app',
  'application',
]
export const releaseNames = [
  'service.version',
  'serviceVersion',
  'release',
  'version',
  'resource.service.version',
  'resource.attributes.service.version',
]
export const requestIdNames = ['reqId', 'requestId', 'request_id', 'req.id', 'request.id', 'http.request.id']
export const traceIdNames = ['traceId', 'trace_id', 'traceID', 'trace.id']
export const spanIdNames = ['spanId', 'span_id', 'spanID', 'span.id']
export const methodNames = ['method', 'http.request.method', 'req.method', 'request.method', 'http.method']
export const routeNames = ['route', 'http.route', 'req.routeOptions.url', 'req.route.path', 'req.route']
export const statusNames = [
  'status',
  'statusCode',
  'http.response.status_code',
  'res.statusCode',
  'response.statusCode',
  'http.status_code',
]
export const durationNames = ['durationMs', 'responseTime', 'duration_ms', 'duration', 'elapsedMs']
/** An error, as an object or as text. */
export const errorNames = ['err', 'error', 'exception']
export const errorMessageNames = ['message', 'msg']
export const errorStackNames = ['stack', 'stacktrace', 'stack_trace']
export const errorTypeNames = ['type', 'name']
/** A stack beside the message, as winston, zap, Logback's encoders and Python's formatters write it. */
export const stackNames = ['stack', 'stacktrace', 'stack_trace', 'stackTrace', 'exc_info', 'exc_text']

/** The keys of a record that can hold a field of one of these names: `a.b` is at `a.b` or inside `a`. */
export function topLevelNames(names: readonly string[]): string[] {
  return names.flatMap(name => name.split('.').map((_, index, parts) => parts.slice(0, index + 1).join('.')))
}
