import type { LogEvent, NewEvent } from '../../shared/event.ts'

/** The middle of the way of an event: from any way in to the store, in batches. */
export type Events = {
  /**
   * Queues events of a way in and resolves once they are durable. `sizeBytes` is what they came in as: the queue
   * is bounded by it.
   * @param requestKey of a request that its client may repeat: one with a key that was kept already, or that is
   *   under way, keeps nothing anew and resolves as the first did. The newest 50,000 keys are known, after a kill too.
   * @throws QueueFullError when the queue has no room for them: nothing of them is kept.
   */
  accept(events: readonly NewEvent[], sizeBytes: number, requestKey?: string): Promise<void>
  /** Queues an event of Sixpane's own. Never blocks and never throws; what finds no room is counted as dropped. */
  enqueueBestEffort(event: NewEvent, sizeBytes: number): void
  /** Counts lines that could not be read, or are older than what is kept. */
  countRejected(count: number): void
  /** Counts what was taken and of which no event is made: most spans of a trace. */
  countIgnored(count: number): void
  /** Calls back after each commit, with what was committed; gives a function that stops it. */
  onCommit(listener: (events: readonly LogEvent[]) => void): () => void
  counts(): EventCounts
  /** Commits what is queued and takes no more. */
  close(): Promise<void>
}

export type EventCounts = {
  accepted: number
  /** Lines that could not be read or found no room. */
  refused: number
  /** Taken, and no events: most spans of a trace. */
  passedOver: number
  /** Own events that found no room. */
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
