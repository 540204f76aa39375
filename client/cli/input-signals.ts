import { nodeTimers, type Timers } from '../sdk/sender-timers.ts'

/** Ctrl+C reaches this process twice under `npx`: from the terminal and from npm. */
const duplicateMs = 500
/** Leaves time to send the events before a supervisor, which often waits ten seconds after SIGTERM, kills the process. */
const graceMs = 5000

/**
 * Decides what a signal does. Ctrl+C, closing the terminal, and most supervisors also signal the program whose output is
 * piped in, so the first signal has no effect until all of that output has been read. SIGTERM may be sent only to this
 * process, so the input ends after five seconds. A second signal ends the input, because the program may ignore signals, and
 * a signal after the end of the input exits.
 */
export function createInputSignals(
  actions: { endInput(): void; exit(): void },
  { nowMs, after }: Timers = nodeTimers,
) {
  let lastMs = Number.NEGATIVE_INFINITY
  let hasEnded = false
  let isInterrupted = false

  const endInput = () => {
    if (hasEnded) return
    hasEnded = true
    actions.endInput()
  }

  return {
    handle(signal: NodeJS.Signals): void {
      if (nowMs() - lastMs < duplicateMs) return
      lastMs = nowMs()
      if (hasEnded) actions.exit()
      else if (isInterrupted) endInput()
      else if (signal === 'SIGTERM') after(graceMs, endInput, { keepsAlive: false })
      isInterrupted = true
    },
    /** Call this at the end of the input. */
    inputEnded(): void {
      hasEnded = true
    },
    isInterrupted: () => isInterrupted,
  }
}
