import type { Window } from '../../../../shared/range.ts'
import { type Sql, sql } from '../../common/sql.ts'
import { microsOf } from '../../common/time.ts'
import { grainNumber } from './expressions.ts'
import type { Source } from './source.ts'

export type Grouping = {
  window: Window
  /** The length of the time buckets. `null` groups all events of the window, and their bucket is 0. */
  bucketMs: number | null
  /** The length of the grains in the projection. */
  grainUs: number
  /** The columns of the groups, which the projections have, too. */
  keys: Sql
  /** The aggregates of the groups, which the projections have, too. */
  values: Sql
  /** Selects groups by columns of the projections. */
  condition?: Sql
}

/**
 * A subquery for the events of a window in groups, with the columns `bucket`, `keys` and `values`. ClickHouse reads whole grains
 * from a projection, and only the rest of the window from the events. Two rows may belong to the same group.
 */
export function eventGroups(
  { events }: Pick<Source, 'events'>,
  { window, bucketMs, grainUs, keys, values, condition = sql`true` }: Grouping,
): Sql {
  const [fromUs, toUs] = [microsOf(window.fromMs), microsOf(window.toMs)]
  const bucketUs = bucketMs === null ? Math.max(toUs - fromUs, 1) : microsOf(bucketMs)
  const select = (timeUs: Sql, isIncluded: Sql) => sql`
    SELECT intDiv(${timeUs} - ${fromUs}, ${bucketUs}) AS bucket, ${keys}, ${values}
    ${events} AND ${isIncluded} AND ${condition} GROUP BY ALL`

  const [first, end] = [Math.ceil(fromUs / grainUs), Math.floor(toUs / grainUs)]
  // Division rounds negative numbers, which are times before 1970, up.
  if (first >= end || grainUs > bucketUs || fromUs < 0)
    return sql`(${select(sql`time_us`, sql`time_us >= ${fromUs} AND time_us < ${toUs}`)})`
  const grain = grainNumber(grainUs)
  const startUs = sql`${grain} * ${grainUs}`
  const isAligned = bucketUs >= toUs - fromUs || (fromUs % grainUs === 0 && bucketUs % grainUs === 0)
  const isDivided = isAligned
    ? sql`false`
    : sql`intDiv(${startUs} - ${fromUs}, ${bucketUs}) <> intDiv(${startUs} + ${grainUs - 1} - ${fromUs}, ${bucketUs})`
  const whole = sql`${grain} >= ${first} AND ${grain} < ${end} AND NOT ${isDivided}`
  const rest = sql`((time_us >= ${fromUs} AND time_us < ${first * grainUs})
    OR (time_us >= ${end * grainUs} AND time_us < ${toUs})
    OR (time_us >= ${fromUs} AND time_us < ${toUs} AND ${isDivided}))`
  return sql`(${select(startUs, whole)} UNION ALL ${select(sql`time_us`, rest)})`
}
