/** The clock and timers of the sender; tests replace them. */
export type Timers = {
  nowMs(): number
  /**
   * Calls `call` after `ms`. With `keepsAlive`, the process does not exit before then. Returns a function that cancels the
   * timer.
   */
  after(ms: number, call: () => void, options: { keepsAlive: boolean }): () => void
}

/** The maximum delay of a Node timer; a longer one would fire at once. */
const maxDelayMs = 2 ** 31 - 1

export const nodeTimers: Timers = {
  nowMs: Date.now,
  after(ms, call, { keepsAlive }) {
    const timer = setTimeout(call, Math.min(ms, maxDelayMs))
    if (!keepsAlive) timer.unref()
    return () => clearTimeout(timer)
  },
}
