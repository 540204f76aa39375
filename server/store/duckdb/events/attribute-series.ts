import { bucketCount } from '../../buckets.ts'
import type { AttributeSeries, Filter } from '../../event-store.ts'
import { searchCondition } from '../failures/search-condition.ts'
import { attributeText } from '../sql/attribute.ts'
import { number, numberOrNull } from '../sql/rows.ts'
import { bucketOf, eventsOf, inWindow, type Source, untilNewest } from '../sql/source.ts'
import { join, name, type Sql, sql } from '../sql/sql.ts'

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
  const length = bucketCount(window, bucketMs)
  const aliased = series.map(({ path, aggregate }, index) => ({ path, aggregate, alias: `series_${index}` }))
  const columns = aliased.map(
    ({ path, aggregate, alias }) =>
      sql`${aggregates[aggregate]}(TRY_CAST(${attributeText(path)} AS DOUBLE)) AS ${name(alias)}`,
  )
  const search = await searchCondition(source, query)
  const rows = await source.queryCached(sql`
    SELECT ${bucketOf(window, bucketMs)} AS bucket, ${join(columns, ', ')}
    FROM ${eventsOf(source.segments.overlapping(window))}
    WHERE ${inWindow(untilNewest(source, window))} AND ${search} GROUP BY bucket`)
  return aliased.map(({ alias }) => {
    const values = Array.from({ length }, (): number | null => null)
    for (const row of rows) values[number(row.bucket)] = numberOrNull(row[alias])
    return values
  })
}
