import type { Attributes, Json } from '../../../shared/event.ts'

/**
 * The messages from https://github.com/open-telemetry/opentelemetry-proto, reduced to the fields that Sixpane uses. A missing
 * field has protobuf's default value, such as `0` or an empty string.
 */

/** Nanoseconds since 1970, or 0 if unknown. Non-numeric text is unchanged. */
export type Nanos = number | string

export type Scope = { name: string; version: string; attributes: Attributes }

export type LogRecord = {
  timeUnixNano: Nanos
  observedTimeUnixNano: Nanos
  /** 1 to 24; 0 if not set. */
  severityNumber: number
  severityText: string
  body: Json
  attributes: Attributes
  droppedAttributesCount: number
  flags: number
  /** Hexadecimal, like all ids. */
  traceId: string
  spanId: string
  eventName: string
}

export type Span = {
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  kind: number
  startTimeUnixNano: Nanos
  endTimeUnixNano: Nanos
  attributes: Attributes
  droppedAttributesCount: number
  events: SpanEvent[]
  status: SpanStatus
}

export type SpanEvent = { timeUnixNano: Nanos; name: string; attributes: Attributes }

/** `code` is 0 if not set, 1 for OK, 2 for an error. */
export type SpanStatus = { code: number; message: string }

/** A log record or a span, with its resource and scope. */
export type Scoped<Item> = { resource: Attributes; scope: Scope; item: Item }

/** One item of a request, or the reason why it is invalid. */
export type DecodedItem<Item> = Scoped<Item> | { reason: string }

/** Decodes one item. Returns the reason instead of throwing, so that an invalid item does not affect the others. */
export function decodeItem<Item>(decode: () => Scoped<Item>): DecodedItem<Item> {
  try {
    return decode()
  } catch (error) {
    return { reason: errorMessageOf(error) }
  }
}

export function errorMessageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export function emptyLogRecord(): LogRecord {
  return {
    timeUnixNano: 0,
    observedTimeUnixNano: 0,
    severityNumber: 0,
    severityText: '',
    body: null,
    attributes: {},
    droppedAttributesCount: 0,
    flags: 0,
    traceId: '',
    spanId: '',
    eventName: '',
  }
}

export function emptySpan(): Span {
  return {
    traceId: '',
    spanId: '',
    parentSpanId: '',
    name: '',
    kind: 0,
    startTimeUnixNano: 0,
    endTimeUnixNano: 0,
    attributes: {},
    droppedAttributesCount: 0,
    events: [],
    status: { code: 0, message: '' },
  }
}
