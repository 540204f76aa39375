/**
 * The event: one structured log record, after OpenTelemetry's log data model
 * (https://opentelemetry.io/docs/specs/otel/logs/data-model/), with the attributes that the screens ask
 * for by name lifted out of the bag.
 */

export const severities = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export type Severity = (typeof severities)[number]

export const eventSources = ['own', 'ndjson', 'otlp', 'loki', 'stdin', 'browser'] as const
/** The way an event came in. */
export type EventSource = (typeof eventSources)[number]

/** The service that Sixpane's own events are of. */
export const ownService = 'sixpane'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Attributes = { [key: string]: Json }

/** Replaces a secret in a stored event. */
export const redacted = '[redacted]'

/** What was thrown; `stack` as the runtime wrote it, or already mapped to source where that was possible. */
export type Exception = { type: string; message: string; stack: string | null }

/** An event as it goes into the store: normalised, redacted, not yet numbered. */
export type NewEvent = {
  /** When it happened: milliseconds since 1970-01-01 UTC, with a fraction down to the microsecond. */
  timeMs: number
  severity: Severity
  /** `service.name` of the writer. */
  service: string
  /** `service.version` of the writer. */
  release: string | null
  source: EventSource
  /** The message. */
  body: string
  requestId: string | null
  /** 32 lower-case hex characters. */
  traceId: string | null
  /** 16 lower-case hex characters. */
  spanId: string | null
  /** HTTP request method. */
  method: string | null
  /** The route template (`/cart/:id`), not the path of one request. */
  route: string | null
  /** HTTP response status code. An event with a status and a duration is a request that was answered. */
  status: number | null
  durationMs: number | null
  exception: Exception | null
  /** What a failure page showed, as it came. */
  digest: string | null
  /** The failure this event is an occurrence of: ten lower-case hex characters. */
  fingerprint: string | null
  /** Whatever else the writer said; nested values are kept as they came. */
  attributes: Attributes
}

/** An event that the store keeps. */
export type LogEvent = NewEvent & {
  /**
   * The store's number for it: a safe integer that grows in the order of acceptance, so that it can be
   * a cursor of the live feed and the tie-breaker of a page of events.
   */
  id: number
}

/** An event as a row: the message cut to 500 characters, without the attributes. */
export type EventRow = Pick<
  LogEvent,
  | 'id'
  | 'timeMs'
  | 'severity'
  | 'service'
  | 'release'
  | 'source'
  | 'body'
  | 'requestId'
  | 'traceId'
  | 'method'
  | 'route'
  | 'status'
  | 'durationMs'
  | 'digest'
  | 'fingerprint'
> & {
  exceptionType: string | null
  /** The attributes that columns were asked for, as text, by their paths. */
  attributeTexts?: Record<string, string>
}
