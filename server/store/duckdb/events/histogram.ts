import type { Window } from '../../../../shared/range.ts'
import { emptyBuckets } from '../../common/empty-buckets.ts'
import { bucketFinder, bucketsOf } from '../../common/metrics/times.ts'
import { visitBlocks } from '../../common/metrics/visit-blocks.ts'
import { number, type Row } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import { microsOf } from '../../common/time.ts'
import type { Filter, HistogramBucket } from '../../event-store.ts'
import { readSeverity } from '../sql/severity.ts'
import { bucketOf, type Source } from '../sql/source.ts'
import { type MatchingBlocks, matchingBlocks } from './matching-blocks.ts'
import { matchingEvents } from './matching-events.ts'

export async function histogram(
  source: Source,
  filter: Filter,
  bucketMs: number,
): Promise<HistogramBucket[]> {
  const buckets = emptyBuckets(filter.window, bucketMs)
  const inMemory = await matchingBlocks(source, filter, microsOf(bucketMs))
  if (inMemory !== null) return countInMemory(inMemory, filter.window, buckets, bucketMs)
  const rows = await source.query(sql`
    SELECT ${bucketOf(filter.window, bucketMs)} AS bucket, severity AS value, count(*) AS count
    FROM ${await matchingEvents(source, filter)} GROUP BY ALL`)
  return fillBuckets(buckets, rows)
}

async function countInMemory(
  { blocks, isMatching }: MatchingBlocks,
  window: Window,
  buckets: HistogramBucket[],
  bucketMs: number,
): Promise<HistogramBucket[]> {
  const inWindow = bucketsOf(window, bucketMs)
  const bucketAt = bucketFinder(inWindow)
  await visitBlocks(blocks, inWindow, group => {
    if (!isMatching(group)) return null
    return (timeUs, count) => {
      const counts = buckets[bucketAt(timeUs)]?.counts
      if (counts !== undefined) counts[group.severity] += count
    }
  })
  return buckets
}

/** Sets the counts of buckets from rows whose `value` is a stored severity number. Returns the buckets. */
export function fillBuckets(buckets: HistogramBucket[], rows: readonly Row[]): HistogramBucket[] {
  for (const row of rows) {
    const counts = buckets[number(row.bucket)]?.counts
    if (counts !== undefined) counts[readSeverity(Number(row.value))] = number(row.count)
  }
  return buckets
}
