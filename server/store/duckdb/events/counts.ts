import { zeroCounts } from '../../../../shared/severity.ts'
import { bucketCount } from '../../buckets.ts'
import { compareValues } from '../../common/compare-values.ts'
import { microsOf } from '../../common/time.ts'
import type { FacetCounts, FacetField, FacetValue, Filter, HistogramBucket } from '../../event-store.ts'
import type { EventGroup } from '../engine/event-block.ts'
import { bucketFinder, timesOf } from '../engine/times.ts'
import { searchOf } from '../failures/search.ts'
import { number, text } from '../sql/rows.ts'
import { readSeverity } from '../sql/severity.ts'
import { bucketOf, inWindow, type Source } from '../sql/source.ts'
import { join, type Sql, sql } from '../sql/sql.ts'
import { eventCounts, hasEventCounts } from './event-counts.ts'
import { matchingBlocks } from './matching-blocks.ts'
import { countEvents, visitBlocks } from './visit-blocks.ts'

export async function histogram(
  source: Source,
  { window, query }: Filter,
  bucketMs: number,
): Promise<HistogramBucket[]> {
  const buckets = Array.from({ length: bucketCount(window, bucketMs) }, (_, index) => ({
    startMs: window.fromMs + index * bucketMs,
    counts: zeroCounts(),
  }))
  const bucketAt = bucketFinder(timesOf(window), microsOf(bucketMs))
  const inMemory = await matchingBlocks(source, { window, query })
  if (inMemory !== null) {
    await visitBlocks(inMemory.blocks, group => {
      if (!inMemory.isMatching(group)) return null
      return timeUs => {
        const counts = buckets[bucketAt(timeUs)]?.counts
        if (counts !== undefined) counts[group.severity] += 1
      }
    })
    return buckets
  }
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
  if (fields.length === 0) return []
  const inMemory = await matchingBlocks(source, filter)
  if (inMemory !== null) {
    const counts = (await countEvents(inMemory.blocks)).filter(([group]) => inMemory.isMatching(group))
    return fields.map(field => ({ field, values: countValues(counts, field).slice(0, limit) }))
  }
  const { query } = source
  const columns = fields.map(field => facetColumns[field])
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

/** Counts the values of a field, most frequent first. */
function countValues(counts: readonly (readonly [EventGroup, number])[], field: FacetField): FacetValue[] {
  const values = new Map<string, FacetValue>()
  for (const [{ [field]: fieldValue }, count] of counts) {
    if (fieldValue === null) continue
    const value = values.get(String(fieldValue)) ?? { value: String(fieldValue), count: 0 }
    value.count += count
    values.set(value.value, value)
  }
  return [...values.values()].sort(compareValues)
}
