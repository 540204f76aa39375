import type { Body, Outcome, Post } from './sender-post.ts'
import type { Timers } from './sender-timers.ts'

const answerMs = 30_000
const firstWaitMs = 500
const longestWaitMs = 30_000
const longestAskedMs = 300_000
/** An outage of fewer tries is a restart, of which nobody needs to be told. */
const triesUntold = 3

export type Parts = { post: Post; timers: Timers; random: () => number }

/**
 * Gives what tries a batch until Sixpane has kept or refused it, one batch at a time. The waits between have full
 * jitter, so that services which lost Sixpane at once do not come back at once:
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 * @param onOutage called once a batch that has failed for longer than a restart takes
 */
export function createTries({ post, timers, random }: Parts, onOutage: (reason: string) => void) {
  let isEnding = false
  let isOver = false
  let stopTry = () => {}
  let stopWaiting = () => {}

  const attempt = async (body: Body): Promise<Outcome> => {
    const controller = new AbortController()
    stopTry = () => controller.abort(new Error('the process ends'))
    const late = new Error(`no answer within ${answerMs / 1000} s`)
    const stopClock = timers.after(answerMs, () => controller.abort(late), { holds: false })
    const outcome = await post(body, controller.signal)
    stopClock()
    return outcome
  }
  const pause = (tries: number, askedMs: number) =>
    new Promise<void>(resolve => {
      const longestMs = isEnding ? firstWaitMs : longestWaitMs
      const jitterMs = random() * Math.min(longestMs, firstWaitMs * 2 ** (tries - 1))
      const stop = timers.after(Math.min(askedMs, longestAskedMs) + jitterMs, resolve, { holds: false })
      stopWaiting = () => {
        stop()
        resolve()
      }
    })

  return {
    /** Gives what became of the batch at last; that it failed only after `giveUp`, or where more tries are no use. */
    async keepTrying(body: Body): Promise<Outcome> {
      for (let tries = 1; ; tries++) {
        const outcome = await attempt(body)
        if (outcome.is !== 'failed' || tries >= outcome.mostTries || isOver) return outcome
        if (tries === triesUntold) onOutage(outcome.reason)
        await pause(tries, outcome.afterMs)
        if (isOver) return outcome
      }
    },
    /** Tries again now, and soon from now on: there is little time left. */
    hurry(): void {
      isEnding = true
      stopWaiting()
    },
    giveUp(): void {
      isOver = true
      stopTry()
      stopWaiting()
    },
    isOver: () => isOver,
  }
}
