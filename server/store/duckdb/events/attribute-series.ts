import type { LogEvent } from '../../../../shared/event.ts'
import type { Window } from '../../../../shared/range.ts'
import { bucketCount } from '../../buckets.ts'
import { aggregateSamples } from '../../common/aggregate-samples.ts'
import { attributeText } from '../../common/attribute-text.ts'
import type { AttributeSeries, Filter } from '../../event-store.ts'
import type { Row } from '../engine/connections.ts'
import { searchOf } from '../failures/search.ts'
import { attributeText as attributeTextSql } from '../sql/attribute.ts'
import { number, numberOrNull } from '../sql/rows.ts'
import { bucketOf, inWindow, type Source, untilNewest } from '../sql/source.ts'
import { join, name, type Sql, sql } from '../sql/sql.ts'
import { readSamples } from './read-samples.ts'

const aggregates: Readonly<Record<AttributeSeries['aggregate'], Sql>> = {
  mean: sql`avg`,
  highest: sql`max`,
  sum: sql`sum`,
}

export async function attributeSeries(
  source: Source,
  { window, query }: Filter,
  series: readonly AttributeSeries[],
  bucketMs: number,
): Promise<(number | null)[][]> {
  const search = await searchOf(source, query)
  const matchesIn = async (window: Window) =>
    sql`${await search.matching(source.segments.overlapping(window))} WHERE ${inWindow(window)}`
  const hasValue = (event: LogEvent) => series.some(({ path }) => attributeText(event, path) !== null)
  const columns = join(
    series.map(
      ({ path }, index) => sql`TRY_CAST(${attributeTextSql(path)} AS DOUBLE) AS ${name(alias(index))}`,
    ),
    ', ',
  )
  const samples = await readSamples(
    source,
    window,
    async days => sql`(SELECT time_us, ${columns} FROM ${await matchesIn(days)})`,
    hasValue,
  )
  if (samples !== null)
    return series.map((each, index) => aggregateColumn(samples, index, each, window, bucketMs))

  const aggregated = series.map(
    ({ aggregate }, index) => sql`${aggregates[aggregate]}(${name(alias(index))}) AS ${name(alias(index))}`,
  )
  const events = await matchesIn(untilNewest(source, window))
  const rows = await source.queryCached(
    sql`
    SELECT bucket, ${join(aggregated, ', ')}
    FROM (SELECT ${bucketOf(window, bucketMs)} AS bucket, ${columns} FROM ${events}) GROUP BY bucket`,
    hasValue,
  )
  const length = bucketCount(window, bucketMs)
  return series.map((_, index) => {
    const values = Array.from({ length }, (): number | null => null)
    for (const row of rows) values[number(row.bucket)] = numberOrNull(row[alias(index)])
    return values
  })
}

function alias(index: number): string {
  return `series_${index}`
}

function aggregateColumn(
  rows: readonly Row[],
  index: number,
  { aggregate }: AttributeSeries,
  window: Window,
  bucketMs: number,
): (number | null)[] {
  const samples = rows.flatMap(row => {
    const value = numberOrNull(row[alias(index)])
    return value === null ? [] : [{ timeUs: number(row.time_us), value }]
  })
  return aggregateSamples(samples, window, bucketMs, aggregate)
}
