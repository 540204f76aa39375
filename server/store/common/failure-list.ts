import type { FailureRow } from '../../../shared/failure.ts'
import type { FailureCounts, FailureList, FailureQuery } from '../failure-store.ts'
import { compareText } from './compare-text.ts'
import { cut } from './cut.ts'

/** Whether a failure's type, message, id or route, or one of its digests or services, contains the text, ignoring case. */
export function containsText(
  { type, message, id, digests, services, route }: FailureRow,
  text: string,
): boolean {
  const wanted = text.toLowerCase()
  const texts = [`${type}: ${message}`, id, ...digests, ...services, route ?? '']
  return texts.some(each => each.toLowerCase().includes(wanted))
}

/** Returns the number of occurrences in the second half of the window minus those in the first half. */
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

export function countByState(failures: readonly Pick<FailureRow, 'state' | 'count'>[]): FailureCounts {
  const counts = noCounts()
  for (const { state, count } of failures) {
    counts[state].failures += 1
    counts[state].occurrences += count
  }
  return counts
}

/** A failure, and the time of its newest occurrence in the query's window and service. */
export type DescribedFailure = { row: FailureRow; newestMs: number }

/** Selects and sorts the failures of a list, and counts those that match the text. */
export function listFailures(
  described: readonly DescribedFailure[],
  {
    sort,
    state,
    text,
    limit,
    offset = 0,
  }: Pick<FailureQuery, 'sort' | 'state' | 'text' | 'limit' | 'offset'>,
): Pick<FailureList, 'failures' | 'counts'> {
  const matching = described.filter(({ row }) => text === null || containsText(row, text))
  const failures = matching
    .filter(({ row }) => state === null || row.state === state)
    .sort((a, b) => {
      const byCount = b.row.count - a.row.count
      const byTime = b.newestMs - a.newestMs
      const orders = {
        newest: byTime || byCount,
        frequent: byCount || byTime,
        trend: increaseOf(b.row.sparkline) - increaseOf(a.row.sparkline) || byTime,
        age: b.row.firstSeenMs - a.row.firstSeenMs || byTime,
      }
      return orders[sort] || compareText(a.row.id, b.row.id)
    })
    .slice(offset, offset + limit)
    .map(({ row }) => ({ ...row, message: cut(row.message) }))
  return { failures, counts: countByState(matching.map(({ row }) => row)) }
}
