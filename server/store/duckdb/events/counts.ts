import { countBySeverity } from '../../common/count-by-severity.ts'
import { emptyBuckets } from '../../common/empty-buckets.ts'
import { join, sql } from '../../common/sql.ts'
import { microsOf } from '../../common/time.ts'
import type { CountFilter, Counts, FacetField, Filter } from '../../event-store.ts'
import { bucketOf, type Source } from '../sql/source.ts'
import { columnsOf, facets, facetsOf, mostFrequent } from './facets.ts'
import { fillBuckets, histogram } from './histogram.ts'
import { matchingBlocks } from './matching-blocks.ts'
import { matchingEvents } from './matching-events.ts'

export async function counts(
  source: Source,
  { wider, ...filter }: CountFilter,
  bucketMs: number,
  fields: readonly FacetField[],
  limit: number,
): Promise<Counts> {
  const [matching, bySeverity] = await Promise.all([
    countMatching(source, filter, bucketMs, fields, limit),
    countBySeverity(filter.window, wider, (...search) => facets(source, ...search)),
  ])
  return { ...matching, bySeverity }
}

/** Like `histogram` and `facets`, but finds the matching events only once. */
async function countMatching(
  source: Source,
  filter: Filter,
  bucketMs: number,
  fields: readonly FacetField[],
  limit: number,
): Promise<Omit<Counts, 'bySeverity'>> {
  const buckets = emptyBuckets(filter.window, bucketMs)
  const inMemory = await matchingBlocks(source, filter, microsOf(bucketMs))
  if (inMemory !== null || fields.length === 0) {
    return {
      histogram: await histogram(source, filter, bucketMs),
      facets: await facets(source, filter, fields, limit),
    }
  }
  const columns = join(columnsOf(fields), ', ')
  const rows = await source.query(sql`
    WITH combination AS MATERIALIZED (
      SELECT bucket, severity, ${columns}, count(*) AS count, grouping(bucket) = 0 AS is_bucket
      FROM (SELECT *, ${bucketOf(filter.window, bucketMs)} AS bucket FROM ${await matchingEvents(source, filter)})
      GROUP BY GROUPING SETS ((bucket, severity), (${columns}))
    )
    FROM (
      SELECT NULL AS field, bucket, CAST(severity AS VARCHAR) AS value, count FROM combination WHERE is_bucket
      UNION ALL SELECT field, NULL, value, count FROM ${mostFrequent(fields, limit, sql`NOT is_bucket`)}
    ) ORDER BY field, count DESC, value`)
  return {
    histogram: fillBuckets(
      buckets,
      rows.filter(({ field }) => field === null),
    ),
    facets: facetsOf(
      fields,
      rows.filter(({ field }) => field !== null),
    ),
  }
}
