import type { FailureRow } from '../../../shared/failure.ts'
import type { FailureCounts } from '../failure-store.ts'

/** Whether a failure's type, message, id, or one of its digests, services or its route contains the text, ignoring case. */
export function containsText(
  { type, message, id, digests, services, route }: FailureRow,
  text: string,
): boolean {
  const wanted = text.toLowerCase()
  const texts = [`${type}: ${message}`, id, ...digests, ...services, route ?? '']
  return texts.some(each => each.toLowerCase().includes(wanted))
}

/** Returns how much more often a failure occurred in the second half of the window than in the first. */
export function increaseOf(sparkline: readonly number[]): number {
  const half = sparkline.length / 2
  return sparkline.reduce((sum, count, index) => sum + (index < half ? -count : count), 0)
}

export function noCounts(): FailureCounts {
  return {
    open: { failures: 0, occurrences: 0 },
    resolved: { failures: 0, occurrences: 0 },
    muted: { failures: 0, occurrences: 0 },
  }
}
