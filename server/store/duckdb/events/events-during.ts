import { overlaps, type TimesUs } from '../../common/metrics/times.ts'
import { type Sql, sql } from '../../common/sql.ts'
import type { Segment } from '../engine/segments.ts'
import { eventsOf } from '../sql/source.ts'

/** Returns one query per time range, so that the engine can skip blocks outside the range. */
export function eventsDuring(segment: Segment, times: readonly TimesUs[], afterId?: number): Sql[] {
  const isNewer = afterId === undefined ? sql`true` : sql`id > ${afterId}`
  return times
    .filter(range => overlaps(segment, range))
    .map(
      ({ fromUs, toUs }) => sql`SELECT * FROM ${eventsOf([segment])}
        WHERE time_us >= ${fromUs} AND time_us < ${toUs} AND ${isNewer}`,
    )
}
