import { bucketCount } from '../../buckets.ts'
import type { LatencyCell, RequestFilter } from '../../event-store.ts'
import { number } from '../sql/rows.ts'
import { bucketOf, type Source } from '../sql/source.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { requests } from './requests.ts'

export async function latency(
  source: Source,
  filter: RequestFilter,
  bucketMs: number,
  edgesMs: readonly number[],
): Promise<LatencyCell[]> {
  bucketCount(filter.window, bucketMs)
  const rows = await source.query(sql`
    SELECT ${bucketOf(filter.window, bucketMs)} AS bucket, ${bandOf(edgesMs)} AS band, count(*) AS requests
    FROM ${requests(source, filter)} GROUP BY bucket, band ORDER BY bucket, band`)
  return rows.map(row => ({
    bucket: number(row.bucket),
    band: number(row.band),
    requests: number(row.requests),
  }))
}

/** Counts the edges that a duration reaches, by binary search: about five comparisons for 36 edges. */
function bandOf(edgesMs: readonly number[], from = 0, to = edgesMs.length): Sql {
  const middle = (from + to) >> 1
  const edge = edgesMs[middle]
  if (from >= to || edge === undefined) return sql`${from}`
  return sql`CASE WHEN duration_ms < ${edge} THEN ${bandOf(edgesMs, from, middle)} ELSE ${bandOf(edgesMs, middle + 1, to)} END`
}
