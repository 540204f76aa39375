import type { FailureRow } from '../../../shared/failure.ts'
import { unquoted } from '../../../shared/query.ts'
import type { FailureCounts, FailureList, FailureQuery } from '../failure-store.ts'
import { compareText } from './compare-text.ts'
import { cut } from './cut.ts'

/** Returns the lower-case text to find. All the text of a filter is one phrase, so quotes around it change nothing. */
function phraseOf(filter: string): string {
  const isQuoted = /^"(?:\\.|[^"\\])*"$/s.test(filter)
  return (isQuoted ? unquoted(filter) : filter).toLowerCase()
}

/** Whether a failure's type, message, id or route, or one of its digests or services, contains a phrase, ignoring case. */
function containsPhrase(
  { type, message, id, digests, services, route }: FailureRow,
  phrase: string,
): boolean {
  const texts = [`${type}: ${message}`, id, ...digests, ...services, route ?? '']
  return texts.some(each => each.toLowerCase().includes(phrase))
}

/**
 * Returns the number of occurrences in the second half of the window minus those in the first half. Of an odd number of
 * buckets, the one in the middle belongs to neither. Without its incomplete last bucket, the number may be greater: at a
 * constant rate, the incomplete bucket has fewer occurrences than the first one.
 */
export function increaseOf(
  sparkline: readonly number[],
  { window, bucketMs }: Pick<FailureQuery, 'window' | 'bucketMs'>,
): number {
  const complete = Math.floor((window.toMs - window.fromMs) / bucketMs)
  return Math.max(changeBetweenHalves(sparkline), changeBetweenHalves(sparkline.slice(0, complete)))
}

function changeBetweenHalves(counts: readonly number[]): number {
  const middle = (counts.length - 1) / 2
  return counts.reduce((sum, count, index) => sum + Math.sign(index - middle) * count, 0)
}

/** A failure with occurrences in a query's window and service. */
export type FoundFailure = Pick<FailureRow, 'id' | 'state' | 'count' | 'sparkline'> & {
  /** The time of the failure's newest occurrence in the window. */
  newestMs: number
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

/**
 * Selects and sorts the failures of a list, and counts those that match the text.
 * @param describe returns the rows of failures, by id. Failures without a row are not listed. Called for all found failures
 * only if the query needs their descriptions
 */
export async function listFailures<Found extends FoundFailure>(
  found: readonly Found[],
  query: Omit<FailureQuery, 'service'>,
  describe: (failures: readonly Found[]) => Promise<ReadonlyMap<string, FailureRow>>,
): Promise<Pick<FailureList, 'failures' | 'counts'>> {
  const { sort, state, text, limit, offset = 0 } = query
  // Only descriptions contain the text and the age of failures.
  const described = text === null && sort !== 'age' ? null : await describe(found)
  const firstMs = ({ id }: Found) => described?.get(id)?.firstSeenMs ?? 0
  const phrase = phraseOf(text ?? '')
  const contains = (row: FailureRow | undefined) => row !== undefined && containsPhrase(row, phrase)
  const matching = text === null ? found : found.filter(({ id }) => contains(described?.get(id)))
  const listed = matching
    .filter(each => state === null || each.state === state)
    .sort((a, b) => {
      const byTime = b.newestMs - a.newestMs
      const byCount = b.count - a.count
      const orders = {
        newest: () => byTime || byCount,
        frequent: () => byCount || byTime,
        trend: () => increaseOf(b.sparkline, query) - increaseOf(a.sparkline, query) || byTime,
        age: () => firstMs(b) - firstMs(a) || byTime,
      }
      return orders[sort]() || compareText(a.id, b.id)
    })
    .slice(offset, offset + limit)
  const rowOf = described ?? (await describe(listed))
  return {
    failures: listed.flatMap(({ id }) => {
      const row = rowOf.get(id)
      return row === undefined ? [] : { ...row, message: cut(row.message) }
    }),
    counts: countByState(matching),
  }
}

/** Like `listFailures`, for failures that are already described. `newestMs` is as in `FoundFailure`. */
export function listDescribed(
  described: readonly { row: FailureRow; newestMs: number }[],
  query: FailureQuery,
): Promise<Pick<FailureList, 'failures' | 'counts'>> {
  const rowOf = new Map(described.map(({ row }) => [row.id, row]))
  const found = described.map(({ row, newestMs }) => ({ ...row, newestMs }))
  return listFailures(found, query, async () => rowOf)
}
