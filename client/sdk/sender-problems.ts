const intervalMs = 3_600_000

/** Reports each kind of problem at most once an hour, so that the service's log is not flooded. */
export function createProblemReporter(
  onProblem: (problem: string) => void = problem => process.emitWarning(problem, 'SixpaneWarning'),
  nowMs: () => number,
) {
  const reportedMs = new Map<string, number>()
  return {
    report(kind: 'failed' | 'dropped' | 'too long' | 'rejected' | 'ended', problem: string): void {
      const lastMs = reportedMs.get(kind)
      if (lastMs !== undefined && nowMs() - lastMs < intervalMs) return
      reportedMs.set(kind, nowMs())
      try {
        onProblem(problem)
      } catch {
        // An error in the callback must not affect the service.
      }
    },
  }
}
