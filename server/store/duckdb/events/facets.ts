import { mergeCase } from '../../common/merge-case.ts'
import type { EventGroup } from '../../common/metrics/event-block.ts'
import { bucketsOf } from '../../common/metrics/times.ts'
import { countEvents } from '../../common/metrics/visit-blocks.ts'
import { number, type Row, text } from '../../common/rows.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import type { FacetCounts, FacetField, FacetValue, Filter } from '../../event-store.ts'
import { readSeverity } from '../sql/severity.ts'
import type { Source } from '../sql/source.ts'
import { matchingBlocks } from './matching-blocks.ts'
import { matchingEvents } from './matching-events.ts'

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
  const inMemory = await matchingBlocks(source, filter, bucketsOf(filter.window, null).bucketUs)
  if (inMemory !== null) {
    const counts = (await countEvents(inMemory.blocks)).filter(([group]) => inMemory.isMatching(group))
    return fields.map(field => ({ field, values: countValues(counts, field).slice(0, limit) }))
  }
  const rows = await source.query(sql`
    WITH combination AS MATERIALIZED (
      SELECT ${join(columnsOf(fields), ', ')}, count(*) AS count
      FROM ${await matchingEvents(source, filter)} GROUP BY ALL
    )
    FROM ${mostFrequent(fields, limit, sql`true`)} ORDER BY field, count DESC, value`)
  return facetsOf(fields, rows)
}

export function columnsOf(fields: readonly FacetField[]): Sql[] {
  return fields.map(field => facetColumns[field])
}

/**
 * The most frequent values of each field, from the table `combination`, which counts the combinations of values in one pass
 * over the events. The table is small, because events have few combinations of these values.
 */
export function mostFrequent(fields: readonly FacetField[], limit: number, isIncluded: Sql): Sql {
  const rankings = columnsOf(fields).map(
    (
      column,
      index,
    ) => sql`(SELECT ${index} AS field, min(CAST(${column} AS VARCHAR)) AS value, sum(count)::BIGINT AS count
      FROM combination WHERE ${column} IS NOT NULL AND ${isIncluded} GROUP BY lower(CAST(${column} AS VARCHAR))
      ORDER BY count DESC, value LIMIT ${limit})`,
  )
  return sql`(${join(rankings, ' UNION ALL ')})`
}

/** @param rows the values, most frequent first */
export function facetsOf(fields: readonly FacetField[], rows: readonly Row[]): FacetCounts[] {
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
  const sums = new Map<string | number, number>()
  for (const [{ [field]: value }, count] of counts) {
    if (value !== null) sums.set(value, (sums.get(value) ?? 0) + count)
  }
  return mergeCase(Array.from(sums, ([value, count]) => ({ value: String(value), count })))
}
