import type { NewEvent } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import type { Normalise } from '../../events/normalise.ts'
import type { Encoding } from './answer.ts'
import { readJson, readJsonLog, readJsonSpan } from './json.ts'
import { eventOfLog } from './log-events.ts'
import type { LogRecord, ReadItem, Scoped, Span } from './model.ts'
import { readProtobuf } from './protobuf.ts'
import { readProtobufLog, readProtobufSpan } from './protobuf-records.ts'
import { countSpanEvents, createSpanEvents } from './span-events.ts'

/** What there is to know of one kind of telemetry. */
export type Signal<Item> = {
  path: string
  /** How many items were not taken is told under this name. */
  rejectedName: string
  /** Reads the items of a body one by one. @throws RefusedBodyError where it holds no such request */
  read: Record<Encoding, (body: Buffer) => Iterable<ReadItem<Item>>>
  /** How many events an item becomes at most. */
  countEvents: (item: Item) => number
  /** Gives what makes events of the items of one request. */
  createEvents: (normalise: Normalise, nowMs: number) => (scoped: Scoped<Item>) => Iterable<NewEvent>
  /** Whether it says when it was: a request of such items is never sent twice but as a repetition. */
  isTimed: (item: Item) => boolean
}

export const logs: Signal<LogRecord> = {
  path: paths.otlpLogs(),
  rejectedName: 'rejectedLogRecords',
  read: {
    'application/x-protobuf': body => readProtobuf(body, readProtobufLog),
    'application/json': body => readJson(body, ['resourceLogs', 'scopeLogs', 'logRecords'], readJsonLog),
  },
  countEvents: () => 1,
  createEvents: (normalise, nowMs) => scoped => [eventOfLog(scoped, normalise, nowMs)],
  isTimed: ({ timeUnixNano, observedTimeUnixNano }) => timeUnixNano !== 0 || observedTimeUnixNano !== 0,
}

export const traces: Signal<Span> = {
  path: paths.otlpTraces(),
  rejectedName: 'rejectedSpans',
  read: {
    'application/x-protobuf': body => readProtobuf(body, readProtobufSpan),
    'application/json': body => readJson(body, ['resourceSpans', 'scopeSpans', 'spans'], readJsonSpan),
  },
  countEvents: countSpanEvents,
  createEvents: createSpanEvents,
  isTimed: ({ startTimeUnixNano }) => startTimeUnixNano !== 0,
}
