const everyMs = 3_600_000

/** Tells of problems, of each kind once an hour: a log that fills another with complaints would be one more failure. */
export function createProblems(
  onProblem: (problem: string) => void = problem => process.emitWarning(problem, 'SixpaneWarning'),
  nowMs: () => number,
) {
  const toldMs = new Map<string, number>()
  return {
    tell(kind: 'failed' | 'dropped' | 'rejected' | 'ended', problem: string): void {
      const lastMs = toldMs.get(kind)
      if (lastMs !== undefined && nowMs() - lastMs < everyMs) return
      toldMs.set(kind, nowMs())
      try {
        onProblem(problem)
      } catch {
        // Whoever listens may fail; the service that logs must not.
      }
    },
  }
}
