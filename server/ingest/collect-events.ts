import type { NewEvent } from '../../shared/event.ts'
import type { IgnoredKind } from '../../shared/ignored.ts'
import { HttpError } from '../http/http-error.ts'
import type { MemoryLease } from '../http/memory-budget.ts'
import { createTimeSlice } from '../time-slice.ts'
import { sizeInMemory } from './event-size.ts'

/** Maximum number of items and of events per request. The event queue has the same limit. */
export const maxEvents = 100_000
const maxErrors = 20
/**
 * Maximum size of a body, relative to the ingest limit, if shared fields, such as labels, are counted once per event.
 * Counted this way, a typical body is two or three times as large.
 */
const maxExpansion = 4

/** A request item that could not be decoded. */
export type Invalid = { line?: number; reason: string }

/** The decoded items of one request, and the function that converts them to events. */
export type DecodedRequest<Item extends object> = {
  /** The plural noun for the items in messages, such as `lines`. */
  itemName: string
  /** The decompressed size of the body. */
  sizeBytes: number
  /** The items, decoded one at a time. A `null` marks a point at which other requests may run. */
  items: Iterable<Item | Invalid | null>
  toEvents: (item: Item) => Iterable<NewEvent>
  /** Returns an item's number for the response. Default: its position. */
  lineOf?: (item: Item) => number
  /** Returns how many bytes shared fields, which occur only once in the body, add to the events of an item. */
  repeatedBytes?: (item: Item) => number
  /** Returns what the dashboard counts as ignored for an item that produces no event. By default, nothing is counted. */
  ignoredIn?: (item: Item) => Ignored | null
  /** Called after the last item. Identifies the request, so that a retry is not stored again. */
  requestKey?: () => Promise<string> | undefined
}

/** Accepted telemetry that produces no event, such as most spans in a trace. */
export type Ignored = { kind: IgnoredKind; count: number }

/** The events of one request and the counts of its other items. */
export type Collected = {
  events: NewEvent[]
  /** The size of the decompressed body, plus the size of repeated fields. */
  sizeBytes: number
  /** The number of items that are invalid, too old or forbidden. */
  rejected: number
  /** The first rejected items. */
  errors: { line: number; reason: string }[]
  ignored: Ignored[]
}

export type CollectOptions = {
  limitBytes: number
  /** Reserves memory for the events. @throws HttpError 429 if too much memory is in use */
  reserve: MemoryLease['reserve']
  /** Older events are rejected, because they have exceeded the retention period and would be deleted immediately. */
  oldestMs: number
  tooOldReason: string
  /** The services to which the token is limited; `null` means all. */
  services: readonly string[] | null
}

/**
 * Collects the events of one request. Counts invalid, old and forbidden items, which do not affect other items.
 * @throws HttpError if the request exceeds a limit
 */
export async function collectEvents<Item extends object>(
  { itemName, sizeBytes, items, toEvents, lineOf, repeatedBytes, ignoredIn }: DecodedRequest<Item>,
  { limitBytes, reserve, oldestMs, tooOldReason, services }: CollectOptions,
): Promise<Collected> {
  const collected: Collected = { events: [], sizeBytes, rejected: 0, errors: [], ignored: [] }
  const { events } = collected
  const maxBytes = limitBytes * maxExpansion
  const reject = (line: number, reason: string) => {
    collected.rejected += 1
    if (collected.errors.length < maxErrors) collected.errors.push({ line, reason })
  }
  const slice = createTimeSlice()

  let count = 0
  for (const item of items) {
    if (slice.isUsedUp()) await slice.yieldToOthers()
    if (item === null) continue
    count += 1
    if (isInvalid(item)) reject(item.line ?? count, item.reason)
    else {
      collected.sizeBytes += repeatedBytes?.(item) ?? 0
      if (collected.sizeBytes > maxBytes) throw tooLarge(itemName, maxBytes)
      let hasEvents = false
      let problem: string | null = null
      for (const event of toEvents(item)) {
        if (slice.isUsedUp()) await slice.yieldToOthers()
        hasEvents = true
        if (event.timeMs < oldestMs) problem = tooOldReason
        else if (services !== null && !services.includes(event.service))
          problem = `The token may not send events from this service, only from ${services.join(', ')}`
        else {
          reserve(sizeInMemory(event))
          events.push(event)
        }
      }
      if (problem !== null) reject(lineOf?.(item) ?? count, problem)
      else if (!hasEvents) addIgnored(collected.ignored, ignoredIn?.(item) ?? null)
    }
    if (count > maxEvents) throw tooMany(itemName)
    if (events.length > maxEvents) throw tooMany('events')
  }
  return collected
}

/** Adds to the counts, which have one entry per kind. */
function addIgnored(counts: Ignored[], ignored: Ignored | null): void {
  if (ignored === null) return
  const existing = counts.find(({ kind }) => kind === ignored.kind)
  if (existing === undefined) counts.push({ ...ignored })
  else existing.count += ignored.count
}

/** Creates the error for a request with too many items or events. */
export function tooMany(itemName: string): HttpError {
  return new HttpError(413, `The body has more than ${maxEvents} ${itemName}: send it in several requests`)
}

function tooLarge(itemName: string, maxBytes: number): HttpError {
  const message = `Including shared fields (labels, resource), the ${itemName} are larger than ${maxBytes / 1e6} MB: send them in several requests`
  return new HttpError(413, message)
}

function isInvalid(item: object): item is Invalid {
  return 'reason' in item
}
