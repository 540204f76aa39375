import { type Events, QueueFullError } from '../events/events.ts'
import { HttpError } from '../http/http-error.ts'
import { SlowStoreError, withinDeadline } from '../store/within-deadline.ts'
import type { Collected } from './collect-events.ts'

/**
 * Stores all or none of the events of one request. Resolves when they are durable.
 * @param deadlineMs the maximum time to wait for the store, so that clients do not wait for a store that hangs
 * @throws HttpError 429 if the queue is full, 503 if the store fails or misses the deadline, both with `Retry-After`
 */
export async function storeEvents(
  { events, sizeBytes, rejected, ignored }: Pick<Collected, 'events' | 'sizeBytes' | 'rejected' | 'ignored'>,
  requestKey: string | undefined,
  queue: Pick<Events, 'accept' | 'countRejected' | 'countIgnored'>,
  deadlineMs: number,
): Promise<void> {
  await withinDeadline(queue.accept(events, sizeBytes, requestKey), deadlineMs).catch(error => {
    throw toHttpError(error)
  })
  queue.countRejected(rejected)
  for (const { kind, count } of ignored) queue.countIgnored(kind, count)
}

function toHttpError(error: unknown): HttpError {
  if (error instanceof SlowStoreError) {
    const message = 'The events are not stored yet, because the store is slow. Send the request again.'
    return new HttpError(503, message, { 'retry-after': 5 })
  }
  if (error instanceof QueueFullError) {
    const message = 'The event queue is full. Nothing from this request was stored. Send it again.'
    return new HttpError(429, message, { 'retry-after': error.retryAfterSeconds })
  }
  // The queue logs the cause, which clients must not see. The message does not say that nothing was stored, because a
  // database may have stored the events before it became unreachable.
  return new HttpError(503, 'The events could not be stored. Send the request again.', { 'retry-after': 5 })
}
