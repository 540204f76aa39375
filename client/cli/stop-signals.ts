/** The signals that ask a process to exit. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Calls `handle` instead of exiting on Ctrl+C, SIGTERM or SIGHUP.
 * @returns a function that removes the handlers
 */
export function onStopSignal(handle: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of stopSignals) process.on(signal, handle)
  return () => {
    for (const signal of stopSignals) process.off(signal, handle)
  }
}
