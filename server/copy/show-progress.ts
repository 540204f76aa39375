import { formatCount } from '../../shared/format.ts'
import type { Progress } from './copy-events.ts'

type Output = {
  /** Whether to rewrite one line instead of writing more lines. */
  isTerminal: boolean
  write: (text: string) => void
  nowMs: () => number
}

const [everyMsOnTerminal, everyMs] = [100, 5000]

/** Shows the percentage of copied events, the rate and the current hour. */
export function showProgress({ isTerminal, write, nowMs }: Output): Progress & { end(): void } {
  let [total, done, startMs, shownMs] = [0, 0, 0, 0]
  let hasLine = false
  return {
    start(events) {
      total = events
      startMs = nowMs()
      shownMs = startMs
    },
    advance(events, hourMs) {
      done += events
      const now = nowMs()
      if (now - shownMs < (isTerminal ? everyMsOnTerminal : everyMs)) return
      shownMs = now
      // Events may be added to an hour while it is copied.
      const percent = Math.min(100, Math.floor((done / total) * 100))
      const perSecond = Math.round(done / ((now - startMs) / 1000))
      const line = `${percent}%, ${formatCount(perSecond)} events per second, at ${hourText(hourMs)}`
      write(isTerminal ? `\r${line}\x1b[K` : `${line}\n`)
      hasLine = isTerminal
    },
    end() {
      if (hasLine) write('\r\x1b[K')
    },
  }
}

/** An hour in UTC. */
export function hourText(hourMs: number): string {
  return `${new Date(hourMs).toISOString().slice(0, 16)}Z`
}
