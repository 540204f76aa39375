import type { FailureRow, ListedFailure } from '../../../shared/failure.ts'
import type { Window } from '../../../shared/range.ts'

/**
 * Marks failures that first occurred in the window as new, unless their state has ever changed: somebody knows such a failure,
 * and its earlier occurrences may have expired.
 */
export function markNew(failures: readonly FailureRow[], { fromMs }: Window): ListedFailure[] {
  return failures.map(failure => {
    const { firstSeenMs, stateMs, resolved } = failure
    // `stateMs` is also `null` if the user may not see when a resolved failure returned.
    const isNew = firstSeenMs >= fromMs && stateMs === null && resolved === null
    return isNew ? { ...failure, isNew } : failure
  })
}
