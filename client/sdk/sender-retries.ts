import type { Body, Outcome, Post } from './sender-post.ts'
import type { Timers } from './sender-timers.ts'

const attemptTimeoutMs = 30_000
const firstDelayMs = 500
const maxDelayMs = 30_000
/** Maximum delay that the server can request with `Retry-After`. */
const maxRetryAfterMs = 300_000
/** After fewer temporary failures, no warning is logged, because Sixpane may just be restarting. */
const attemptsBeforeWarning = 3

export type SenderDependencies = { post: Post; timers: Timers; random: () => number }

/**
 * Posts one batch at a time, with retries until Sixpane stores or rejects it, the attempts are used up, or `giveUp` is called.
 * Delays have full jitter, so that services that lose their connections at the same time do not all retry at the same time:
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 * @param onOutage called once per batch if posting it keeps failing for longer than a restart takes
 */
export function createRetryingPost(
  { post, timers, random }: SenderDependencies,
  onOutage: (reason: string) => void,
) {
  let isClosing = false
  let hasGivenUp = false
  let abortAttempt = () => {}
  let endDelay = () => {}

  const attempt = async (body: Body): Promise<Outcome> => {
    const controller = new AbortController()
    abortAttempt = () => controller.abort(new Error('the process is exiting'))
    const timeout = new Error(`no response within ${attemptTimeoutMs / 1000} s`)
    const cancelTimeout = timers.after(attemptTimeoutMs, () => controller.abort(timeout), {
      keepsAlive: false,
    })
    const outcome = await post(body, controller.signal)
    cancelTimeout()
    return outcome
  }
  const delay = (attempts: number, retryAfterMs: number) =>
    new Promise<void>(resolve => {
      const limitMs = isClosing ? firstDelayMs : maxDelayMs
      const jitterMs = random() * Math.min(limitMs, firstDelayMs * 2 ** (attempts - 1))
      const delayMs = Math.min(retryAfterMs, isClosing ? firstDelayMs : maxRetryAfterMs) + jitterMs
      const cancel = timers.after(delayMs, resolve, { keepsAlive: false })
      endDelay = () => {
        cancel()
        resolve()
      }
    })

  return {
    /** Returns the final outcome: `failed` only after `giveUp` or the maximum number of attempts. */
    async postWithRetries(body: Body): Promise<Outcome> {
      // Attempts during an outage do not count towards the limit.
      let limitedAttempts = 0
      for (let attempts = 1; ; attempts++) {
        const outcome = await attempt(body)
        if (outcome.status !== 'failed' || hasGivenUp) return outcome
        if (Number.isFinite(outcome.maxAttempts)) limitedAttempts += 1
        if (limitedAttempts >= outcome.maxAttempts) return outcome
        if (attempts === attemptsBeforeWarning) onOutage(outcome.reason)
        await delay(attempts, outcome.retryAfterMs)
        if (hasGivenUp) return outcome
      }
    },
    /** Retries immediately, and with short delays from then on, because the process is about to exit. */
    startClosing(): void {
      isClosing = true
      endDelay()
    },
    giveUp(): void {
      hasGivenUp = true
      abortAttempt()
      endDelay()
    },
    hasGivenUp: () => hasGivenUp,
  }
}
