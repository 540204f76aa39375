import { setMaxListeners } from 'node:events'

/** Thrown if a page is not ready in time. */
export class DeadlineError extends Error {
  override name = 'DeadlineError'
}

/**
 * Runs the work, and aborts it after `deadlineMs` or when `signal` aborts. The returned promise then rejects, even if the
 * work ignores its signal.
 * @throws DeadlineError after the deadline; the signal's reason; an error that the work throws
 */
export function withDeadline<T>(
  signal: AbortSignal,
  deadlineMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  // Each query adds a listener. By default, Node warns if there are more than ten.
  setMaxListeners(0, controller.signal)
  const deadline = setTimeout(
    () => controller.abort(new DeadlineError(`The page was not ready after ${deadlineMs} ms`)),
    deadlineMs,
  )
  const abort = () => controller.abort(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  return new Promise<T>((resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true })
    if (signal.aborted) abort()
    work(controller.signal).then(resolve, reject)
  }).finally(() => {
    clearTimeout(deadline)
    signal.removeEventListener('abort', abort)
  })
}
