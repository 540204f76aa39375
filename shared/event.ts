/**
 * An event is one structured log record, based on OpenTelemetry's log data model
 * (https://opentelemetry.io/docs/specs/otel/logs/data-model/). Attributes that the screens use have their own fields.
 */

import type { Severity } from './severity.ts'

export const eventSources = ['own', 'ndjson', 'otlp', 'loki', 'stdin', 'browser', 'sentry'] as const
/** How an event arrived: the protocol or the kind of client. */
export type EventSource = (typeof eventSources)[number]

/** The service name of Sixpane's own events. */
export const ownService = 'sixpane'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Attributes = { [key: string]: Json }

/** The text that replaces a secret in a stored event. */
export const redacted = '[redacted]'

/** An exception. `stack` is the runtime's text, which may already be mapped to source. */
export type Exception = { type: string; message: string; stack: string | null }

/** An event before it is stored: normalised and redacted, without an id. */
export type NewEvent = {
  /** Milliseconds since 1970-01-01 UTC, with microsecond precision. */
  timeMs: number
  severity: Severity
  /** The sender's `service.name`. */
  service: string
  /** The sender's `service.version`. */
  release: string | null
  source: EventSource
  /** The log message. */
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
  /** HTTP response status code. Events with a status and a duration are requests. */
  status: number | null
  durationMs: number | null
  exception: Exception | null
  /** The digest shown to a visitor, unchanged. */
  digest: string | null
  /** Identifies the failure that the event belongs to: ten lower-case hex characters. */
  fingerprint: string | null
  /** All other fields; nested values are stored unchanged. */
  attributes: Attributes
}

/** A stored event. */
export type LogEvent = NewEvent & {
  /**
   * A safe integer that the store assigns in the order of acceptance. It orders events with the same time, and identifies an
   * event in URLs.
   */
  id: number
}

/** URLs of an event's failure, and of all events of its request and trace. */
export type EventLinks = {
  failure?: string | undefined
  request?: string | undefined
  trace?: string | undefined
}

/** An event in a list, without attributes and with the message truncated to 500 characters. */
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
  exceptionMessage: string | null
  /** The path of a request without a route. Absent if it is unknown. */
  path?: string
  /** The text of each attribute that is shown as a column, by path. */
  attributeTexts?: Record<string, string>
}
