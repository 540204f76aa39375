import { QueueFullError } from '../events/events.ts'
import { HttpError } from '../http/http-error.ts'

/** Converts an error from `storeEvents`: 429 if the queue is full, otherwise 503, both with `Retry-After`. */
export function toHttpError(error: unknown): HttpError {
  const advice = 'Nothing from this request was stored: send it again.'
  if (error instanceof QueueFullError) {
    const headers = { 'retry-after': error.retryAfterSeconds }
    return new HttpError(429, `The event queue is full. ${advice}`, headers)
  }
  // The queue logs the cause. Clients must not see it.
  return new HttpError(503, `The events could not be stored. ${advice}`, { 'retry-after': 5 })
}
