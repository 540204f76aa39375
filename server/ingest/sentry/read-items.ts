import type { Attributes } from '../../../shared/event.ts'
import type { IgnoredKind } from '../../../shared/ignored.ts'
import type { Invalid } from '../collect-events.ts'
import { JsonSyntaxError } from '../json-cursor.ts'
import { type EnvelopeItem, readEnvelopeItems } from './envelope.ts'
import { eventDetails, eventFields, eventRecord } from './event-record.ts'
import { feedbackFields, feedbackRecord } from './feedback-record.ts'
import { list, number, object, text } from './json-fields.ts'
import { logRecord } from './log-record.ts'
import { readFields, readItems } from './read-payload.ts'
import { spanRecords, transactionFields, transactionRecords } from './request-record.ts'
import type { Sender } from './sender.ts'
import { aggregateRecords, sessionKey, sessionRecords } from './session-record.ts'
import { singleSpanVitals, spanVitals, transactionVitals } from './vital-records.ts'

/** The result of reading an item: log records, or a number of telemetry items that Sixpane does not store. */
export type SentryItem = {
  records: Attributes[]
  ignored: { kind: IgnoredKind; count: number } | null
  /** Whether the item contains an id or an exact time, so that no other item is equal to it. */
  isUnique: boolean
  /** Identifies the start or the failure of a session; `null` for other items. See `sessionKey`. */
  sessionKey: string | null
}

/** The kind of each item type that is not stored. Unknown types have the kind `other`. */
const ignoredTypes: { [type: string]: IgnoredKind } = {
  attachment: 'attachment',
  check_in: 'check-in',
  metric_buckets: 'metric',
  profile: 'profile',
  profile_chunk: 'profile',
  replay_event: 'replay',
  replay_recording: 'replay',
  replay_video: 'replay',
  statsd: 'metric',
  trace_metric: 'metric',
}

type Payload = {
  fields: ReadonlySet<string>
  details?: ReadonlySet<string>
  read: (payload: Attributes, sender: Sender) => SentryItem
}

const spanFields = new Set(['data', 'measurements', 'timestamp'])
const sessionFields = new Set(['aggregates', 'attrs', 'init', 'sid', 'started', 'status', 'timestamp'])

/** Readers for items whose payload is one JSON object. */
const payloads: { [type: string]: Payload } = {
  event: { fields: eventFields, details: eventDetails, read: readEventItem },
  transaction: {
    fields: transactionFields,
    read: (transaction, sender) =>
      storedOrSpan(
        [...transactionRecords(transaction, sender), ...transactionVitals(transaction, sender)],
        text(transaction.event_id) !== null,
      ),
  },
  span: { fields: spanFields, read: (span, sender) => storedOrSpan(singleSpanVitals(span, sender)) },
  session: {
    fields: sessionFields,
    read: (session, sender) => ({
      ...stored(sessionRecords(session, sender)),
      sessionKey: sessionKey(session),
    }),
  },
  sessions: {
    fields: sessionFields,
    read: (sessions, sender) => stored(aggregateRecords(sessions, sender), false),
  },
  feedback: { fields: feedbackFields, read: (item, sender) => stored([feedbackRecord(item, sender)], false) },
  user_report: {
    fields: feedbackFields,
    read: (item, sender) => stored([feedbackRecord(item, sender)], false),
  },
  client_report: { fields: new Set(['discarded_events']), read: discardedItems },
}

/** Readers for the elements of items whose payload is a list. */
const lists: { [type: string]: (element: Attributes, sender: Sender) => SentryItem } = {
  log: (log, sender) => stored([logRecord(log, sender)], log.timestamp !== undefined),
  span: (span, sender) => storedOrSpan([...spanRecords(span, sender), ...spanVitals(span, sender)]),
}

/**
 * Reads the items of an envelope one at a time. An invalid item does not affect the others. Yields `null` where the caller
 * can pause.
 * @throws HttpError if the body is not an envelope
 */
export function* readSentryItems(
  body: Buffer,
  itemsStart: number,
  sender: Sender,
): Generator<SentryItem | Invalid | null> {
  let line = 0
  for (const item of readEnvelopeItems(body, itemsStart)) {
    if (item === null) {
      yield null
      continue
    }
    line += 1
    try {
      yield* readItem(item, body, sender)
    } catch (error) {
      yield { line, reason: `${item.type}: ${reasonOf(error)}` }
    }
    yield null
  }
}

/** Reads a single event, from an SDK that does not send envelopes. */
export function* readStoredEvent(body: Buffer, sender: Sender): Generator<SentryItem | Invalid | null> {
  try {
    yield readEventItem(yield* readFields(body, eventFields, eventDetails), sender)
  } catch (error) {
    yield { reason: reasonOf(error) }
  }
}

function readEventItem(event: Attributes, sender: Sender): SentryItem {
  return stored([eventRecord(event, sender)], text(event.event_id) !== null)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) throw error
  return error instanceof JsonSyntaxError ? 'The payload is not a JSON object' : error.message
}

function* readItem(
  { type, isList, declaredCount, payload }: EnvelopeItem,
  body: Buffer,
  sender: Sender,
): Generator<SentryItem | Invalid | null> {
  const bytes = body.subarray(payload.start, payload.end)
  const readElement = isList && Object.hasOwn(lists, type) ? lists[type] : undefined
  const single = !isList && Object.hasOwn(payloads, type) ? payloads[type] : undefined
  if (single !== undefined) yield single.read(yield* readFields(bytes, single.fields, single.details), sender)
  else if (readElement === undefined) yield ignoredItem(ignoredKind(type), quantityOf(declaredCount ?? 1))
  else {
    for (const element of readItems(bytes)) {
      if (element === null) yield null
      else if (element instanceof Error) yield { reason: `${type}: ${element.message}` }
      else yield readElement(element, sender)
    }
  }
}

function ignoredKind(type: string): IgnoredKind {
  return (Object.hasOwn(ignoredTypes, type) ? ignoredTypes[type] : undefined) ?? 'other'
}

function stored(records: Attributes[], isUnique = true): SentryItem {
  return { records, ignored: null, isUnique, sessionKey: null }
}

function storedOrSpan(records: Attributes[], isUnique = true): SentryItem {
  return records.length > 0 ? stored(records, isUnique) : ignoredItem('span', 1)
}

function ignoredItem(kind: IgnoredKind, count: number): SentryItem {
  return { records: [], ignored: { kind, count }, isUnique: true, sessionKey: null }
}

/** Larger quantities are mistakes, and are reduced to this limit. */
const maxQuantity = 1e6

/** Counts what an SDK discarded, for example because of its sample rate or a lost connection. */
function discardedItems(report: Attributes): SentryItem {
  const quantities = list({ values: report.discarded_events ?? [] }).map(each =>
    quantityOf(number(object(each).quantity) ?? 0),
  )
  return ignoredItem(
    'discarded by an SDK',
    quantities.reduce((sum, quantity) => sum + quantity, 0),
  )
}

function quantityOf(sent: number): number {
  return Math.min(Math.max(Math.round(sent), 0), maxQuantity)
}
