/** The clock and timers of the sender. Tests replace them. */
export type Timers = {
  nowMs(): number
  /**
   * Runs `call` after `ms`. With `keepsAlive`, the process does not exit before then. Returns a function that cancels the
   * timer.
   */
  after(ms: number, call: () => void, options: { keepsAlive: boolean }): () => void
}

/** The maximum delay of a Node timer. A timer with a longer delay would fire immediately. */
const maxDelayMs = 2 ** 31 - 1

export const nodeTimers: Timers = {
  nowMs: Date.now,
  after(ms, call, { keepsAlive }) {
    const timer = setTimeout(call, Math.min(ms, maxDelayMs))
    if (!keepsAlive) timer.unref()
    return () => clearTimeout(timer)
  },
}
