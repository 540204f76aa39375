import { QueueFullError } from '../events/events.ts'
import { HttpError } from '../http/http-error.ts'
import { SlowStoreError } from '../store/within-deadline.ts'

/** Converts an error from `storeEvents`: 429 if the queue is full, otherwise 503, both with `Retry-After`. */
export function toHttpError(error: unknown): HttpError {
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
