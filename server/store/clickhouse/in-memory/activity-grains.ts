import { createTimeSlice } from '../../../time-slice.ts'
import { bytesOf, createCountWriter, type EventBlock } from '../../common/in-memory/event-block.ts'
import type { CountedGroup } from '../../common/in-memory/event-reader.ts'
import { list, number, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { Connection } from '../engine/connection.ts'
import { grainNumber, grainsUs, preferProjection } from '../sql/expressions.ts'
import type { GrainReader } from './grain-cache.ts'
import type { GroupList } from './group-list.ts'

/** The events of half an hour, counted by service, release and fingerprint. */
export type ActivityGrain = { block: EventBlock<CountedGroup> }

const grainUs = grainsUs.service_activity
/** With more groups in one read, a query is faster. */
const maxGroups = 100_000

/** Reads counts from a projection. */
export function activityGrains(
  { select }: Pick<Connection, 'select'>,
  groups: GroupList<CountedGroup>,
): GrainReader<ActivityGrain> {
  const grain = grainNumber(grainUs)
  return {
    grainUs,
    maxGrains: 168,
    async read(first, end) {
      // One row for each grain, because many short rows would take longer to parse.
      const rows = await select(sql`
        SELECT grain, groupArray(${maxGroups + 1})((service, release, fingerprint, events, errors, newest_offset)) AS counts
        FROM (
          SELECT grain, service, release, fingerprint, sum(in_band) AS events,
            sumIf(failed_in_band, isNotNull(duration_band)) AS errors, max(newest_us) - grain * ${grainUs} AS newest_offset
          FROM (
            SELECT ${grain} AS grain, service, release, fingerprint, duration_band,
              count() AS in_band, countIf(status >= 500) AS failed_in_band, max(time_us) AS newest_us
            FROM event WHERE ${grain} >= ${first} AND ${grain} < ${end}
            GROUP BY grain, service, release, fingerprint, duration_band ${preferProjection('service_activity')}
          ) GROUP BY grain, service, release, fingerprint
        ) GROUP BY grain`)
      let groupCount = 0
      const grains = new Map<number, ActivityGrain>()
      const slice = createTimeSlice()
      for (const row of rows) {
        if (slice.isUsedUp()) await slice.yieldToOthers()
        const writer = createCountWriter(groups.list)
        const counts = list(row.counts, count => list(count, field => field))
        groupCount += counts.length
        for (const [service, release, fingerprint, events, errors, newest] of counts) {
          const group = {
            service: text(service),
            release: textOrNull(release),
            fingerprint: textOrNull(fingerprint),
          }
          const [count, errorCount, offsetUs] = [number(events), number(errors), number(newest)]
          if (count > errorCount)
            writer.add(groups.indexOf({ ...group, isError: false }), offsetUs, count - errorCount)
          if (errorCount > 0) writer.add(groups.indexOf({ ...group, isError: true }), offsetUs, errorCount)
        }
        const fromUs = number(row.grain) * grainUs
        grains.set(number(row.grain), { block: { fromUs, chunks: [writer.finish()] } })
      }
      return groupCount > maxGroups ? null : grains
    },
    empty: grain => ({ block: { fromUs: grain * grainUs, chunks: [] } }),
    add: () => null,
    bytesOf: ({ block }) => bytesOf(block),
  }
}
