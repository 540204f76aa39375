import { severities, zeroCounts } from '../../../../shared/severity.ts'
import { bucketCount } from '../../buckets.ts'
import { compareValues } from '../../common/compare-values.ts'
import { list, number, numberOrNull, text } from '../../common/rows.ts'
import { join, name, type Sql, sql } from '../../common/sql.ts'
import type { AttributeSeries, FacetCounts, FacetField, Filter, HistogramBucket } from '../../event-store.ts'
import { attributeNumber } from '../sql/attribute.ts'
import { compile } from '../sql/compile.ts'
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
  const buckets = Array.from({ length: bucketCount(filter.window, bucketMs) }, (_, index) => ({
    startMs: filter.window.fromMs + index * bucketMs,
    counts: zeroCounts(),
  }))
  const rows = await source.select(sql`
    SELECT ${bucketIn(filter.window, bucketMs)} AS bucket, severity, count() AS count
    ${await matching(source, filter)} GROUP BY bucket, severity`)
  for (const row of rows) {
    const severity = severities.find(each => each === row.severity)
    const bucket = buckets[number(row.bucket)]
    if (severity !== undefined && bucket !== undefined) bucket.counts[severity] = number(row.count)
  }
  return buckets
}

/** Counts the values of all fields in one pass. A field with many values is limited in the engine. */
export async function facets(
  source: Source,
  filter: Filter,
  fields: readonly FacetField[],
  limit: number,
): Promise<FacetCounts[]> {
  if (fields.length === 0) return []
  const from = await matching(source, filter)
  return Promise.all(
    fields.map(async field => {
      const column = name(field)
      const rows = await source.select(sql`
        SELECT toString(${column}) AS value, count() AS count ${from} AND ${column} IS NOT NULL
        GROUP BY ${column} ORDER BY count DESC, value LIMIT ${Math.max(limit, severities.length)}`)
      const values = rows.map(row => ({ value: text(row.value), count: number(row.count) }))
      return { field, values: values.sort(compareValues).slice(0, limit) }
    }),
  )
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
