import type { LogEvent, NewEvent } from '../../shared/event.ts'

/** The event queue: from every ingest endpoint to the store, in batches. */
export type Events = {
  /**
   * Queues events of a request and resolves once they are durable.
   * @param sizeBytes size as received; counts towards the limit on the queue
   * @param requestKey idempotency key of a request that the client may retry: a repeated request stores nothing and
   *   settles like the first one. The newest 50,000 keys are remembered, even after a crash.
   * @throws QueueFullError when the queue is full or closed: none of the events is stored
   */
  accept(events: readonly NewEvent[], sizeBytes: number, requestKey?: string): Promise<void>
  /** Queues a self-log event. Never blocks and never throws; if the queue is full, the event is counted as dropped. */
  enqueueBestEffort(event: NewEvent, sizeBytes: number): void
  /** Counts lines that could not be parsed or are older than the retention. */
  countRejected(count: number): void
  /** Counts input that is accepted but produces no event, such as most spans of a trace. */
  countIgnored(count: number): void
  /** Calls back after each commit with its events; returns a function that unsubscribes. */
  onCommit(listener: (events: readonly LogEvent[]) => void): () => void
  counts(): EventCounts
  /** Commits the queued events and accepts no more. */
  close(): Promise<void>
}

export type EventCounts = {
  accepted: number
  /** Rejected: lines that could not be parsed, and events for which the queue was full. */
  refused: number
  /** Ignored: input that is accepted but produces no event, such as most spans of a trace. */
  passedOver: number
  /** Self-log events for which the queue was full, or that could not be stored. */
  dropped: number
  /** Accepted per second, over the last ten seconds. */
  perSecond: number
}

/** The queue has no room for the events of a request. */
export class QueueFullError extends Error {
  override name = 'QueueFullError'
  constructor(readonly retryAfterSeconds: number) {
    super('The event queue is full')
  }
}
