import type { LogEvent, NewEvent } from '../../shared/event.ts'

/** The event queue: from every ingest endpoint to the store, in batches. */
export type Events = {
  /**
   * Queues events of a request and resolves once they are durable.
   * @param sizeBytes their size as received, which counts towards the limit of the queue
   * @param requestKey idempotency key of a request that its client may repeat: a repeated request stores nothing and
   *   resolves as the first did. The newest 50,000 keys are known, also after a crash.
   * @throws QueueFullError when the queue has no room: none of the events is stored
   */
  accept(events: readonly NewEvent[], sizeBytes: number, requestKey?: string): Promise<void>
  /** Queues a self-log event. Never blocks and never throws; without room the event is counted as dropped. */
  enqueueBestEffort(event: NewEvent, sizeBytes: number): void
  /** Counts lines that could not be parsed or are past the retention. */
  countRejected(count: number): void
  /** Counts input that is accepted but makes no event: most spans of a trace. */
  countIgnored(count: number): void
  /** Calls back after each commit with its events; returns a function that unsubscribes. */
  onCommit(listener: (events: readonly LogEvent[]) => void): () => void
  counts(): EventCounts
  /** Commits what is queued and accepts nothing more. */
  close(): Promise<void>
}

export type EventCounts = {
  accepted: number
  /** Lines that could not be parsed, or without room in the queue. */
  refused: number
  /** Accepted without an event: most spans of a trace. */
  passedOver: number
  /** Self-log events without room in the queue. */
  dropped: number
  /** Accepted per second, over the last ten seconds. */
  perSecond: number
}

export class QueueFullError extends Error {
  override name = 'QueueFullError'
  constructor(readonly retryAfterSeconds: number) {
    super('The queue of events is full')
  }
}
