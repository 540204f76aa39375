/** Time, as the sender needs it: in a test it stands still. */
export type Timers = {
  nowMs(): number
  /** Calls back after so many milliseconds; gives what prevents it. Only one that `holds` keeps the process from its end. */
  after(ms: number, call: () => void, options: { holds: boolean }): () => void
}

/** What a timer of Node takes; longer ones would go off at once. */
const longestMs = 2 ** 31 - 1

export const nodeTimers: Timers = {
  nowMs: Date.now,
  after(ms, call, { holds }) {
    const timer = setTimeout(call, Math.min(ms, longestMs))
    if (!holds) timer.unref()
    return () => clearTimeout(timer)
  },
}
