import { zeroCounts } from '../../../../shared/severity.ts'
import { bucketCount } from '../../buckets.ts'
import { maxServices } from '../../common/list-limits.ts'
import type { FacetCounts, FacetField, Filter, HistogramBucket } from '../../event-store.ts'
import { searchOf } from '../failures/search.ts'
import { number, text } from '../sql/rows.ts'
import { readSeverity } from '../sql/severity.ts'
import { bucketOf, inWindow, type Source } from '../sql/source.ts'
import { join, type Sql, sql } from '../sql/sql.ts'
import { eventCounts, hasEventCounts } from './event-counts.ts'

export async function histogram(
  source: Source,
  { window, query }: Filter,
  bucketMs: number,
): Promise<HistogramBucket[]> {
  const buckets = Array.from({ length: bucketCount(window, bucketMs) }, (_, index) => ({
    startMs: window.fromMs + index * bucketMs,
    counts: zeroCounts(),
  }))
  const search = await searchOf(source, query)
  const rows = await source.query(sql`
    SELECT ${bucketOf(window, bucketMs)} AS bucket, severity, count(*) AS count
    FROM ${await search.matching(source.segments.overlapping(window))}
    WHERE ${inWindow(window)} GROUP BY ALL`)
  for (const row of rows) {
    const counts = buckets[number(row.bucket)]?.counts
    if (counts !== undefined) counts[readSeverity(number(row.severity))] = number(row.count)
  }
  return buckets
}

async function matchingEvents(source: Source, { window, query }: Filter): Promise<Sql> {
  const search = await searchOf(source, query)
  const events = await search.matching(source.segments.overlapping(window))
  return sql`(SELECT *, 1 AS count FROM ${events} WHERE ${inWindow(window)})`
}

const facetColumns: Readonly<Record<FacetField, Sql>> = {
  service: sql`service`,
  route: sql`route`,
  status: sql`status`,
  release: sql`release`,
  source: sql`source`,
  severity: sql`severity`,
}

export async function facets(
  source: Source,
  filter: Filter,
  fields: readonly FacetField[],
  limit: number,
): Promise<FacetCounts[]> {
  const { query } = source
  const columns = fields.map(field => facetColumns[field])
  if (columns.length === 0) return []
  const counts =
    filter.query.kind === 'all' && hasEventCounts(fields)
      ? await eventCounts(source, filter.window)
      : await matchingEvents(source, filter)
  // Events have few combinations of these values, so count the combinations in one pass, then rank each field's values.
  const combinations = sql`
    SELECT ${join(columns, ', ')}, sum(count) AS count FROM ${counts} GROUP BY ALL`
  const rankings = fields.map((field, index) => {
    const column = facetColumns[field]
    return sql`(SELECT ${index} AS field, CAST(${column} AS VARCHAR) AS value, sum(count)::BIGINT AS count
      FROM combination WHERE ${column} IS NOT NULL GROUP BY ${column}
      ORDER BY count DESC, value LIMIT ${limit})`
  })
  const rows = await query(sql`
    WITH combination AS MATERIALIZED (${combinations}) FROM (${join(rankings, ' UNION ALL ')})
    ORDER BY field, count DESC, value`)
  return fields.map((field, index) => ({
    field,
    values: rows
      .filter(row => number(row.field) === index)
      .map(row => ({
        value: field === 'severity' ? readSeverity(Number(row.value)) : text(row.value),
        count: number(row.count),
      })),
  }))
}

export async function lastSeen({
  summary,
  query,
}: Source): Promise<{ service: string; source: string; lastSeenMs: number }[]> {
  const rows = await query(sql`
    FROM (
      SELECT service, source, max(last_us) AS last_us FROM ${await summary('service_summary')}
      GROUP BY ALL ORDER BY last_us DESC, service, source LIMIT ${maxServices}
    ) ORDER BY service, source`)
  return rows.map(row => ({
    service: text(row.service),
    source: text(row.source),
    lastSeenMs: number(row.last_us) / 1000,
  }))
}
