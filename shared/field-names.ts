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
  // Serilog, Monolog, Python's JSON formatters, log4j2, loguru, journald
  ...['@t', 'Timestamp', 'datetime', 'asctime', 'timeMillis', 'instant', 'time.timestamp'],
  '__REALTIME_TIMESTAMP',
  // The time at which a collector read the record.
  'observedTimeUnixNano',
  // log4js. In records of other loggers, it may be the start of a job.
  'startTime',
]
/** A word, or a number on pino's, syslog's or Monolog's scale. */
export const levelNames = [
  ...['level', 'severityText', 'severity_text', 'log.level', 'lvl'],
  // Python's JSON formatters, Serilog, .NET's console, log4js, loguru, Roarr, journald
  ...['levelname', '@l', 'Level', 'LogLevel', 'level.levelStr', 'level.name', 'context.logLevel', 'PRIORITY'],
  // PostgreSQL
  'error_severity',
]
/** A word, or an OpenTelemetry severity number. */
export const severityNames = ['severity']
/** An OpenTelemetry severity number. */
export const severityNumberNames = ['severityNumber', 'severity_number']
export const messageNames = [
  ...['msg', 'message', 'body', 'event.message'],
  // Serilog, .NET's console, structlog, Logstash, journald
  ...['@m', 'RenderedMessage', 'Message', '@mt', 'MessageTemplate', 'event', '@message', 'MESSAGE'],
]
/** Names under which a program logs its own service. */
export const programServiceNames = [
  'service.name',
  'serviceName',
  'service',
  'resource.service.name',
  'resource.attributes.service.name',
  'app',
  'application',
  // The name of a pino or bunyan logger is the service. In records of other loggers, `name` may be a class.
  'name',
]
export const serviceNames = [
  ...programServiceNames,
  // journald. In containers' lines, the identifier is usually the id of the container.
  'CONTAINER_NAME',
  'SYSLOG_IDENTIFIER',
]
/** Outside the top level, `name` is the name of something else: an error, a user, a span. */
export const nestedServiceNames = serviceNames.filter(name => name !== 'name')
/**
 * Where the program of a wrapped line runs, as written by the collectors: Fluent Bit, Vector and Filebeat in Kubernetes, then
 * without it. Filebeat replaces dots in labels.
 */
export const containerNames = [
  ...['kubernetes.labels.app.kubernetes.io/name', 'kubernetes.pod_labels.app.kubernetes.io/name'],
  ...['kubernetes.labels.app_kubernetes_io/name', 'kubernetes.labels.app', 'kubernetes.pod_labels.app'],
  ...['kubernetes.container_name', 'kubernetes.container.name', 'container_name', 'container.name'],
]
/** Fields that Vector or Filebeat adds to a line: where it read the line, and in which container the program runs. */
export const collectorNames = [
  ...['source_type', 'agent.type', 'log.offset', 'log.file.path'],
  ...containerNames,
]
export const releaseNames = [
  'service.version',
  'serviceVersion',
  'release',
  'version',
  'resource.service.version',
  'resource.attributes.service.version',
  // Datadog, winston, Logstash
  ...['dd.version', 'metadata.version', '@fields.version'],
]
/** Outside the top level, `version` is usually the version of a document. */
export const nestedReleaseNames = releaseNames.filter(name => name !== 'version')
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
/**
 * Ids that applications show on their own error pages. The spellings of one id have the same precedence. Other records may
 * have the same event or correlation id.
 */
export const errorIdNames = [
  ['errorId', 'errorID', 'error_id', 'error.id'],
  ['eventId', 'eventID', 'event_id', 'event.id'],
  ['correlationId', 'correlationID', 'correlation_id', 'correlation.id'],
]
/** An error, as an object, as text or as a list of an error and its causes. log4j2 writes `thrown`. */
export const errorNames = ['err', 'error', 'exception', 'thrown']
/** Includes the names of structlog, log4j2's Logstash layout and LoggerJSON. */
export const errorMessageNames = ['message', 'msg', 'exc_value', 'exception_message', 'reason']
/** Includes the names of structlog, log4j2's Logstash layout, Monolog and Datadog. */
export const errorTypeNames = ['type', 'name', 'exc_type', 'exception_class', 'class', 'kind']
/** A stack as text, as a list of lines or as a list of frames. */
export const errorStackNames = [
  ...['stack', 'stacktrace', 'stack_trace'],
  // log4j2, Ruby
  ...['stackTrace', 'extendedStackTrace', 'backtrace'],
]
/** A stack only if the value is a list: as text, `trace` is an id. */
export const errorFramesNames = ['frames', 'trace']
export const causeNames = ['cause', 'previous']
/** A stack in a separate field, as written by winston, zap, Logback encoders, Python formatters, .NET's console and Serilog. */
export const stackNames = [
  // zap: the stack of the error. zap's `stacktrace` is the stack of the log call.
  'errorVerbose',
  'stack',
  'stacktrace',
  'stack_trace',
  'stackTrace',
  'exc_info',
  'exc_text',
  'Exception',
  '@x',
  // loguru: the formatted message with its traceback
  'text',
]
/**
 * Objects in which loggers nest the fields that the caller passed, the fields of a context, or the whole record. A known
 * field is read from these objects if it is not at the top level.
 */
export const wrapperNames = new Set([
  // winston, LoggerJSON, Logstash, tracing, loguru, Monolog, log4j2
  ...['metadata', '@fields', 'fields', 'span', 'record', 'extra', 'context', 'contextMap', 'mdc'],
  // Elastic Common Schema, Datadog, Serilog
  ...['labels', 'dd', 'Properties'],
])

/** Returns the top-level keys that can contain one of these fields: for `a.b`, the keys `a` and `a.b`. */
export function topLevelNames(names: readonly string[]): string[] {
  return names.flatMap(name => name.split('.').map((_, index, parts) => parts.slice(0, index + 1).join('.')))
}
