/** Ctrl+C reaches Sixpane twice under `npm start`: from the terminal and from npm. */
const duplicateMs = 500

/** Returns the handler for SIGTERM and SIGINT. The first signal stops Sixpane; a later one cuts off requests in progress. */
export function createStopSignals(
  actions: { stop(signal: string): void; forceStop(signal: string): void },
  nowMs = () => performance.now(),
): (signal: string) => void {
  let firstMs: number | null = null
  let isForced = false
  return signal => {
    if (firstMs === null) {
      firstMs = nowMs()
      actions.stop(signal)
    } else if (!isForced && nowMs() - firstMs >= duplicateMs) {
      isForced = true
      actions.forceStop(signal)
    }
  }
}
