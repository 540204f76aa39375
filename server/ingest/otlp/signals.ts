import type { NewEvent } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import type { Normalise } from '../../events/normalise.ts'
import { readJson, readJsonLog, readJsonSpan } from './json.ts'
import { eventOfLog } from './log-events.ts'
import type { DecodedItem, LogRecord, Scoped, Span } from './model.ts'
import { readProtobuf } from './protobuf.ts'
import { readProtobufLog, readProtobufSpan } from './protobuf-records.ts'
import type { Encoding } from './response.ts'
import { countSpanEvents, createSpanEvents } from './span-events.ts'

/** One kind of telemetry: logs or traces. */
export type Signal<Item> = {
  name: string
  path: string
  /** The response field for the number of rejected items. */
  rejectedName: string
  /** Reads the items of a body one at a time; `null` lets callers pause. @throws HttpError if the whole body is invalid */
  read: Record<Encoding, (body: Buffer) => Iterable<DecodedItem<Item> | null>>
  /** Returns the maximum number of events that an item can produce. */
  countEvents: (item: Item) => number
  /** Creates the function that converts the items of one request to events. */
  createEvents: (
    normalise: Normalise,
    nowMs: number,
    oldestMs: number,
  ) => (scoped: Scoped<Item>) => Iterable<NewEvent>
  /** Whether an item has a time. Identical requests count as retries only if all their items have a time. */
  hasTime: (item: Item) => boolean
}

export const logs: Signal<LogRecord> = {
  name: 'ingest-otlp-logs',
  path: paths.otlpLogs(),
  rejectedName: 'rejectedLogRecords',
  read: {
    'application/x-protobuf': body => readProtobuf(body, readProtobufLog),
    'application/json': body => readJson(body, ['resourceLogs', 'scopeLogs', 'logRecords'], readJsonLog),
  },
  countEvents: () => 1,
  createEvents: (normalise, nowMs, oldestMs) => scoped => [eventOfLog(scoped, normalise, nowMs, oldestMs)],
  hasTime: ({ timeUnixNano, observedTimeUnixNano }) => timeUnixNano !== 0 || observedTimeUnixNano !== 0,
}

/** Only requests and exceptions in a trace become events. */
export const traces: Signal<Span> = {
  name: 'ingest-otlp-traces',
  path: paths.otlpTraces(),
  rejectedName: 'rejectedSpans',
  read: {
    'application/x-protobuf': body => readProtobuf(body, readProtobufSpan),
    'application/json': body => readJson(body, ['resourceSpans', 'scopeSpans', 'spans'], readJsonSpan),
  },
  countEvents: countSpanEvents,
  createEvents: createSpanEvents,
  hasTime: ({ startTimeUnixNano }) => startTimeUnixNano !== 0,
}
