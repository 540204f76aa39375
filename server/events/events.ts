import type { LogEvent, NewEvent } from '../../shared/event.ts'
import type { IgnoredCounts, IgnoredKind } from '../../shared/ignored.ts'

/** The event queue. It passes events from all ingest endpoints to the store in batches. */
export type Events = {
  /**
   * Queues the events of a request and resolves once they are durable.
   * @param sizeBytes decompressed size, including shared fields once per event; counts towards the queue's size limit
   * @param requestKey idempotency key of a request that the client may retry. A repeated request stores nothing, and its
   * result is that of the first request. See `EventStore.claimRequests`.
   * @throws QueueFullError if the queue is full or closed, or another error if the events could not be stored; in both cases,
   * the client should send the request again
   */
  accept(events: readonly NewEvent[], sizeBytes: number, requestKey?: string): Promise<void>
  /** Queues a self-log event. Never blocks and never throws; if the queue is full, the event is counted as dropped. */
  enqueueBestEffort(event: NewEvent, sizeBytes: number): void
  /** Counts items that are invalid, expired or forbidden. */
  countRejected(count: number): void
  /** Counts input that is accepted but produces no event, such as most spans in a trace. */
  countIgnored(kind: IgnoredKind, count: number): void
  /** Calls the listener with the events of each commit. Returns a function that unsubscribes. */
  onCommit(listener: (events: readonly LogEvent[]) => void): () => void
  counts(): EventCounts
  /** Commits the queued events and stops accepting events. */
  close(): Promise<void>
}

export type EventCounts = {
  accepted: number
  /** Rejected: invalid, expired or forbidden items, and events that did not fit in the queue. */
  rejected: number
  /** Ignored: input that is accepted but produces no event, such as most spans in a trace. */
  ignored: IgnoredCounts
  /** Self-log events that did not fit in the queue or could not be stored. */
  dropped: number
  /** Events accepted per second, averaged over the last ten seconds. */
  perSecond: number
}

/** Thrown if a request's events do not fit in the queue, or the queue is closed. */
export class QueueFullError extends Error {
  override name = 'QueueFullError'
  constructor(readonly retryAfterSeconds: number) {
    super('The event queue is full')
  }
}
