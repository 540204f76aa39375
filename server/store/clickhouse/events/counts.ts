import { severities, zeroCounts } from '../../../../shared/severity.ts'
import { bucketCount } from '../../buckets.ts'
import { compareValues } from '../../common/compare-values.ts'
import { list, number, numberOrNull, text } from '../../common/rows.ts'
import { join, name, type Sql, sql } from '../../common/sql.ts'
import type { AttributeSeries, FacetCounts, FacetField, Filter, HistogramBucket } from '../../event-store.ts'
import { attributeNumber } from '../sql/attribute.ts'
import { compile } from '../sql/compile.ts'
import { eventGroups } from '../sql/event-groups.ts'
import { isGroupedQuery } from '../sql/grouped-query.ts'
import { bucketIn, inWindow, type Source } from '../sql/source.ts'

/** Matching events: `FROM … WHERE …`. */
async function matching({ read, events }: Source, { window, query }: Filter): Promise<Sql> {
  const condition = await read(state => compile(query, state))
  return sql`${events} AND ${inWindow(window)} AND ${condition}`
}

export async function histogram(
  source: Source,
  filter: Filter,
  bucketMs: number,
): Promise<HistogramBucket[]> {
  return (await counts(source, filter, bucketMs, [], 0)).histogram
}

export async function facets(
  source: Source,
  filter: Filter,
  fields: readonly FacetField[],
  limit: number,
): Promise<FacetCounts[]> {
  return fields.length === 0 ? [] : (await counts(source, filter, null, fields, limit)).facets
}

/**
 * Reads the matching events once for the histogram and all fields. The engine returns only the most frequent values of each
 * field.
 * @param bucketMs `null` for no histogram
 */
export async function counts(
  source: Source,
  filter: Filter,
  bucketMs: number | null,
  fields: readonly FacetField[],
  limit: number,
): Promise<{ histogram: HistogramBucket[]; facets: FacetCounts[] }> {
  const buckets = bucketMs === null ? [] : emptyBuckets(filter, bucketMs)
  const groups = [
    ...(bucketMs === null
      ? []
      : [{ label: '', set: sql`bucket, severity`, first: sql`bucket`, value: sql`severity` }]),
    ...fields.map(field => ({ label: field, set: name(field), first: name(field), value: name(field) })),
  ]
  // `grouping` returns 0 for a column that the row is grouped by.
  const cases = (result: (group: (typeof groups)[number]) => Sql) =>
    join(
      groups.map(group => sql`grouping(${group.first}) = 0, ${result(group)}`),
      ', ',
    )
  // One row more than the limit, because the row for NULL is dropped. Each bucket has at most one row per severity.
  const maxRows = Math.max(limit + 1, severities.length)
  const keys = new Set([...(bucketMs === null ? [] : (['severity'] as const)), ...fields])
  const rows = await source.select(sql`
    SELECT ${bucketMs === null ? sql`0` : sql`bucket`} AS bucket,
      multiIf(${cases(({ label }) => sql`${label}`)}, '') AS field,
      multiIf(${cases(({ value }) => sql`toString(${value})`)}, NULL) AS value, sum(events) AS count
    FROM ${await matchingGroups(source, filter, bucketMs, [...keys].map(name))}
    GROUP BY GROUPING SETS (${join(
      groups.map(({ set }) => sql`(${set})`),
      ', ',
    )})
    ORDER BY count DESC, value LIMIT ${maxRows} BY field, bucket`)
  for (const row of rows) {
    const severity = severities.find(each => each === row.value)
    const bucket = row.field === '' ? buckets[number(row.bucket)] : undefined
    if (severity !== undefined && bucket !== undefined) bucket.counts[severity] = number(row.count)
  }
  const valuesOf = (field: FacetField) =>
    rows
      .filter(row => row.field === field && row.value !== null)
      .map(row => ({ value: text(row.value), count: number(row.count) }))
  return {
    histogram: buckets,
    facets: fields.map(field => ({ field, values: valuesOf(field).sort(compareValues).slice(0, limit) })),
  }
}

/** A subquery that counts the matching events by bucket and `keys` in the column `events`. A group may have several rows. */
async function matchingGroups(
  source: Source,
  filter: Filter,
  bucketMs: number | null,
  keys: readonly Sql[],
): Promise<Sql> {
  const { window, query } = filter
  if (!isGroupedQuery(query)) {
    const bucket = bucketMs === null ? sql`0` : bucketIn(window, bucketMs)
    return sql`(SELECT ${bucket} AS bucket, ${join(keys, ', ')}, 1 AS events ${await matching(source, filter)})`
  }
  return eventGroups(source, {
    window,
    bucketMs,
    projection: 'event_counts',
    keys,
    values: ['events'],
    condition: await source.read(state => compile(query, state)),
  })
}

function emptyBuckets({ window }: Filter, bucketMs: number): HistogramBucket[] {
  return Array.from({ length: bucketCount(window, bucketMs) }, (_, index) => ({
    startMs: window.fromMs + index * bucketMs,
    counts: zeroCounts(),
  }))
}

export async function attributeSeries(
  source: Source,
  filter: Filter,
  series: readonly AttributeSeries[],
  bucketMs: number,
): Promise<(number | null)[][]> {
  const length = bucketCount(filter.window, bucketMs)
  const functions = { mean: sql`avg`, highest: sql`max`, sum: sql`sum` }
  const values = series.map(({ path, aggregate }) => sql`${functions[aggregate]}(${attributeNumber(path)})`)
  const rows = await source.select(sql`
    SELECT ${bucketIn(filter.window, bucketMs)} AS bucket, [${join(values, ', ')}] AS numbers
    ${await matching(source, filter)} GROUP BY bucket`)
  const byBucket = new Map(rows.map(row => [number(row.bucket), list(row.numbers, numberOrNull)]))
  return series.map((_, index) =>
    Array.from({ length }, (_, bucket) => byBucket.get(bucket)?.[index] ?? null),
  )
}
