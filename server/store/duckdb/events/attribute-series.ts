import type { LogEvent } from '../../../../shared/event.ts'
import type { Window } from '../../../../shared/range.ts'
import { bucketCount } from '../../buckets.ts'
import { attributeText } from '../../common/attribute-text.ts'
import type { AttributeSeries, Filter } from '../../event-store.ts'
import type { Samples } from '../engine/samples.ts'
import { searchOf } from '../failures/search.ts'
import { attributeText as attributeTextSql } from '../sql/attribute.ts'
import { number, numberOrNull, text } from '../sql/rows.ts'
import { bucketOf, inWindow, type Source, untilNewest } from '../sql/source.ts'
import { join, type Sql, sql } from '../sql/sql.ts'
import { samplesAround, visitSamples } from './window-samples.ts'

/** A value of a bucket, and its position in the result. */
type BucketValue = { series: number; bucket: number; value: number | null }

export async function attributeSeries(
  source: Source,
  { window, query }: Filter,
  series: readonly AttributeSeries[],
  bucketMs: number,
): Promise<(number | null)[][]> {
  const search = await searchOf(source, query)
  const values = series.map(({ path }) => sql`TRY_CAST(${attributeTextSql(path)} AS DOUBLE)`)
  const keys = series.map((_, index) => sql`${String(index)}`)
  const select = async (window: Window) => sql`(
    SELECT time_us, unnest([${join(keys, ', ')}]) AS key, unnest([${join(values, ', ')}]) AS value
    FROM ${await search.matching(source.segments.overlapping(window))} WHERE ${inWindow(window)})`
  const hasValue = (event: LogEvent) => series.some(({ path }) => attributeText(event, path) !== null)
  const samples = await samplesAround(source, window, select, hasValue)
  const found =
    samples === null
      ? await aggregateInEngine(source, await select(untilNewest(source, window)), series, window, bucketMs)
      : aggregateSamples(samples, series, window, bucketMs)
  const length = bucketCount(window, bucketMs)
  const result = series.map(() => Array.from({ length }, (): number | null => null))
  for (const { series, bucket, value } of found) {
    const row = result[series]
    if (row !== undefined) row[bucket] = value
  }
  return result
}

const aggregates: Readonly<Record<AttributeSeries['aggregate'], Sql>> = {
  mean: sql`avg(value)`,
  highest: sql`max(value)`,
  sum: sql`sum(value)`,
}

async function aggregateInEngine(
  { queryCached }: Source,
  samples: Sql,
  series: readonly AttributeSeries[],
  window: Window,
  bucketMs: number,
): Promise<BucketValue[]> {
  const values = series.map(
    ({ aggregate }, index) => sql`WHEN ${String(index)} THEN ${aggregates[aggregate]}`,
  )
  const rows = await queryCached(sql`
    SELECT key, ${bucketOf(window, bucketMs)} AS bucket, CASE key ${join(values, ' ')} END AS value
    FROM ${samples} WHERE value IS NOT NULL GROUP BY key, bucket`)
  return rows.map(row => ({
    series: Number(text(row.key)),
    bucket: number(row.bucket),
    value: numberOrNull(row.value),
  }))
}

function aggregateSamples(
  samples: Samples,
  series: readonly AttributeSeries[],
  window: Window,
  bucketMs: number,
): BucketValue[] {
  return series.flatMap(({ aggregate }, index) => {
    const found = new Map<number, { sum: number; highest: number; count: number }>()
    const ofSeries = samples.get(String(index))
    if (ofSeries === undefined) return []
    visitSamples(ofSeries, window, bucketMs, (bucket, value) => {
      const total = found.get(bucket) ?? { sum: 0, highest: value, count: 0 }
      total.sum += value
      total.highest = Math.max(total.highest, value)
      total.count += 1
      found.set(bucket, total)
    })
    return Array.from(found, ([bucket, { sum, highest, count }]) => ({
      series: index,
      bucket,
      value: { sum, highest, mean: sum / count }[aggregate],
    }))
  })
}
