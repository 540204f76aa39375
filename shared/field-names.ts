/**
 * The names of event fields in log records, in order of precedence, as used by pino (https://getpino.io/#/docs/api),
 * OpenTelemetry (https://opentelemetry.io/docs/specs/semconv/) and other common loggers. A dot is either part of the name or
 * means nesting: `req.method` also matches `{ req: { method } }`.
 */

export const timeNames = [
  'time',
  'timestamp',
  '@timestamp',
  'ts',
  'timeUnixNano',
  'date',
  'observedTimeUnixNano',
  // Serilog, Monolog
  ...['@t', 'Timestamp', 'datetime'],
]
/** A word, or a number on pino's, syslog's or Monolog's scale. */
export const levelNames = [
  ...['level', 'severityText', 'severity_text', 'log.level', 'lvl'],
  // Python's JSON formatters, Serilog, .NET's console, log4js, Roarr
  ...['levelname', '@l', 'Level', 'LogLevel', 'level.levelStr', 'context.logLevel'],
]
/** A word, or an OpenTelemetry severity number. */
export const severityNames = ['severity']
/** An OpenTelemetry severity number. */
export const severityNumberNames = ['severityNumber', 'severity_number']
export const messageNames = [
  ...['msg', 'message', 'body', 'event.message'],
  // Serilog, .NET's console, structlog
  ...['@m', 'RenderedMessage', 'Message', '@mt', 'MessageTemplate', 'event'],
]
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
export const traceIdNames = ['traceId', 'trace_id', 'traceID', 'trace.id', 'TraceId', '@tr']
export const spanIdNames = ['spanId', 'span_id', 'spanID', 'span.id', 'SpanId', '@sp']
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
/** A stack in a separate field, as written by winston, zap, Logback encoders, Python formatters, .NET's console and Serilog. */
export const stackNames = [
  'stack',
  'stacktrace',
  'stack_trace',
  'stackTrace',
  'exc_info',
  'exc_text',
  'Exception',
  '@x',
]

/** Returns the top-level keys that can contain one of these fields: for `a.b`, the keys `a` and `a.b`. */
export function topLevelNames(names: readonly string[]): string[] {
  return names.flatMap(name => name.split('.').map((_, index, parts) => parts.slice(0, index + 1).join('.')))
}
