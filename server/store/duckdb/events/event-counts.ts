import type { Window } from '../../../../shared/range.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import type { FacetField } from '../../event-store.ts'
import { lengthUs, timesOf } from '../engine/times.ts'
import { isVisible, type Source } from '../sql/source.ts'
import { divideAtGrains } from './cut-times.ts'
import { eventsDuring } from './events-during.ts'

const summarised: readonly FacetField[] = ['service', 'release', 'source']

/** Whether the table of `eventCounts` has columns for these fields. */
export function hasEventCounts(fields: readonly FacetField[]): boolean {
  return fields.every(field => summarised.includes(field))
}

/** The number of events in the window by service, release and source. Several rows may have the same values. */
export async function eventCounts(source: Source, window: Window): Promise<Sql> {
  const times = timesOf(window)
  const { whole, cut } = divideAtGrains(times, lengthUs(times))
  const counts = sql`SELECT service, release, source, count`
  const rest = source.segments
    .overlapping(window)
    .flatMap(segment => eventsDuring(segment, cut))
    .map(
      events => sql`SELECT service, release, source, 1 AS count FROM (${events}) WHERE ${isVisible(source)}`,
    )
  const stored = await Promise.all(
    whole.map(
      async ({ fromUs, toUs }) => sql`${counts} FROM ${await source.summary('service_summary')}
        WHERE from_us >= ${fromUs} AND from_us < ${toUs}`,
    ),
  )
  const none = sql`${counts} FROM (SELECT '' AS service, '' AS release, '' AS source, 0 AS count) WHERE false`
  return sql`(${join([none, ...stored, ...rest], ' UNION ALL ')})`
}
