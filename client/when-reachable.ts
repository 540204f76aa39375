import { showPageNotice } from './page-notice.ts'

const firstDelayMs = 1_000
const maxDelayMs = 15_000
/** The last notice that this module has shown. If a form has replaced it, the form's notice is not removed. */
let notice: HTMLElement | undefined

/**
 * Repeats `request` until the server is reachable, and returns its result. Meanwhile, a notice explains the wait. Retries
 * after increasing delays, when the device is back online, and when the visitor clicks “Retry now”.
 * @throws the reason of `signal` if it aborts, and any error other than a network error
 */
export async function whenReachable<Result>(
  request: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  try {
    for (let delayMs = firstDelayMs; ; delayMs = Math.min(2 * delayMs, maxDelayMs)) {
      try {
        return await request()
      } catch (error) {
        // `fetch` rejects with a TypeError if it gets no response: https://fetch.spec.whatwg.org/#fetch-method
        if (!(error instanceof TypeError)) throw error
        signal.throwIfAborted()
        await nextAttempt(delayMs, signal)
      }
    }
  } finally {
    notice?.remove()
  }
}

function nextAttempt(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = new AbortController()
    const end = (settle: () => void) => {
      clearTimeout(timer)
      done.abort()
      settle()
    }
    const timer = setTimeout(() => end(resolve), delayMs)
    addEventListener('online', () => end(resolve), { signal: done.signal })
    signal.addEventListener('abort', () => end(() => reject(signal.reason)), { signal: done.signal })
    notice = showPageNotice('Can’t reach Sixpane. The next page opens as soon as it responds.', {
      'Retry now': () => end(resolve),
    })
  })
}
