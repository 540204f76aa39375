import type { Window } from '../../../../shared/range.ts'
import { join, name, type Sql, sql } from '../../common/sql.ts'
import { microsOf } from '../../common/time.ts'
import { grainNumber, grainsUs, preferProjection, requestBins } from './expressions.ts'
import type { Source } from './source.ts'

/** How to compute each value of a group from a projection (`ofGroup`) or from a single event (`ofEvent`). */
const valuesOf = {
  events: { ofGroup: sql`count()`, ofEvent: sql`1` },
  failed: { ofGroup: sql`countIf(status >= 500)`, ofEvent: sql`ifNull(status >= 500, 0)` },
  bins: { ofGroup: sql`sumForEach(${requestBins})`, ofEvent: requestBins },
  last_us: { ofGroup: sql`max(time_us)`, ofEvent: sql`time_us` },
}

export type Grouping = {
  window: Window
  /** The length of the time buckets. `null` puts all events in the window into bucket 0. */
  bucketMs: number | null
  projection: keyof typeof grainsUs
  /** The columns to group by. The projections must contain them, too. */
  keys: readonly Sql[]
  /** The other columns. `bins` is a list of counts (see `requestBins`), and `last_us` the time of the last event. */
  values: readonly (keyof typeof valuesOf)[]
  /** Selects groups by columns of the projection. */
  condition?: Sql
}

/** If fewer grains are whole, only events are read, because planning to read a projection as well would take longer. */
const minWholeGrains = 4

/**
 * A subquery that groups the events in a window, with the columns `bucket`, `keys` and `values`. ClickHouse reads whole
 * grains from a projection, and only the rest of the window from the events. Many rows may belong to the same group.
 */
export function eventGroups(
  { events }: Pick<Source, 'events'>,
  { window, bucketMs, projection, keys, values, condition = sql`true` }: Grouping,
): Sql {
  const [fromUs, toUs] = [microsOf(window.fromMs), microsOf(window.toMs)]
  const bucketUs = bucketMs === null ? Math.max(toUs - fromUs, 1) : microsOf(bucketMs)
  const grainUs = grainsUs[projection]
  const isAligned = bucketUs >= toUs - fromUs || (fromUs % grainUs === 0 && bucketUs % grainUs === 0)
  const select = (of: 'ofGroup' | 'ofEvent', timeUs: Sql, isIncluded: Sql) => {
    const columns = [
      sql`intDiv(${timeUs} - ${fromUs}, ${bucketUs}) AS bucket`,
      ...keys,
      ...values.map(value => sql`${valuesOf[value][of]} AS ${name(value)}`),
    ]
    return sql`SELECT ${join(columns, ', ')} ${events} AND ${isIncluded} AND ${condition}`
  }

  const [first, end] = [Math.ceil(fromUs / grainUs), Math.floor(toUs / grainUs)]
  // Times before 1970 are negative, and integer division rounds negative numbers up. Grain 0 therefore also contains times
  // before 1970.
  if (end - first < minWholeGrains || grainUs > bucketUs || fromUs <= 0)
    return sql`(${select('ofEvent', sql`time_us`, sql`time_us >= ${fromUs} AND time_us < ${toUs}`)})`
  const grain = grainNumber(grainUs)
  const startUs = sql`${grain} * ${grainUs}`
  const isDivided = isAligned
    ? sql`false`
    : sql`intDiv(${startUs} - ${fromUs}, ${bucketUs}) <> intDiv(${startUs} + ${grainUs - 1} - ${fromUs}, ${bucketUs})`
  const whole = sql`${grain} >= ${first} AND ${grain} < ${end} AND NOT ${isDivided}`
  const rest = sql`((time_us >= ${fromUs} AND time_us < ${first * grainUs})
    OR (time_us >= ${end * grainUs} AND time_us < ${toUs})
    OR (time_us >= ${fromUs} AND time_us < ${toUs} AND ${isDivided}))`
  return sql`(
    ${select('ofGroup', startUs, whole)} GROUP BY ALL ${preferProjection(projection)}
    UNION ALL ${select('ofEvent', sql`time_us`, rest)})`
}
