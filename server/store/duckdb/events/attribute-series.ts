import type { LogEvent } from '../../../../shared/event.ts'
import type { Window } from '../../../../shared/range.ts'
import { bucketCount } from '../../buckets.ts'
import { attributeText } from '../../common/attribute-text.ts'
import { createSeriesTotals } from '../../common/metrics/attribute-series.ts'
import { number, numberOrNull, text } from '../../common/rows.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import type { AttributeSeries, Filter } from '../../event-store.ts'
import { attributeNumber } from '../sql/attribute.ts'
import { bucketOf, type Source, untilNewest } from '../sql/source.ts'
import { matchingEvents } from './matching-events.ts'
import { visitSamples } from './window-samples.ts'

export async function attributeSeries(
  source: Source,
  { window, query }: Filter,
  series: readonly AttributeSeries[],
  bucketMs: number,
): Promise<(number | null)[][]> {
  const values = series.map(({ path }) => attributeNumber(path))
  const keys = series.map((_, index) => sql`${String(index)}`)
  const select = async (window: Window) => sql`(
    SELECT time_us, unnest([${join(keys, ', ')}]) AS key, unnest([${join(values, ', ')}]) AS value
    FROM ${await matchingEvents(source, { window, query })})`
  const hasSample = (event: LogEvent) => series.some(({ path }) => attributeText(event, path) !== null)
  const length = bucketCount(window, bucketMs)
  const totals = createSeriesTotals(series, length)
  const isVisited = await visitSamples(
    source,
    window,
    bucketMs,
    { select, hasSample },
    (key, bucket, value) => totals.add(Number(key), bucket, value),
  )
  if (!isVisited)
    return aggregateInEngine(source, await select(untilNewest(source, window)), series, window, bucketMs)
  return totals.values()
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
): Promise<(number | null)[][]> {
  const values = series.map(
    ({ aggregate }, index) => sql`WHEN ${String(index)} THEN ${aggregates[aggregate]}`,
  )
  const rows = await queryCached(sql`
    SELECT key, ${bucketOf(window, bucketMs)} AS bucket, CASE key ${join(values, ' ')} END AS value
    FROM ${samples} WHERE value IS NOT NULL GROUP BY key, bucket`)
  const length = bucketCount(window, bucketMs)
  const found = series.map(() => Array.from({ length }, (): number | null => null))
  for (const row of rows) {
    const ofSeries = found[Number(text(row.key))]
    if (ofSeries !== undefined) ofSeries[number(row.bucket)] = numberOrNull(row.value)
  }
  return found
}
