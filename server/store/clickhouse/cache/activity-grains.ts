import { createTimeSlice } from '../../../time-slice.ts'
import { bytesOf, type EventBlock, type EventChunk } from '../../common/metrics/event-block.ts'
import type { CountedGroup } from '../../common/metrics/event-reader.ts'
import type { GroupList } from '../../common/metrics/group-list.ts'
import { list, number, type Row, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { Connection } from '../engine/connection.ts'
import { grainNumber, grainsUs, preferProjection } from '../sql/expressions.ts'
import type { GrainReader } from './grain-cache.ts'

/** The events of half an hour, counted by service, release and fingerprint. */
type ActivityGrain = { block: EventBlock<CountedGroup> }

const grainUs = grainsUs.service_activity
/** With more counts in one read, a query is faster. */
const maxCounts = 100_000

/** Reads counts from a projection. */
export function activityGrains(
  { select }: Pick<Connection, 'select'>,
  groups: GroupList<CountedGroup>,
): GrainReader<ActivityGrain> {
  const grain = grainNumber(grainUs)
  return {
    grainUs,
    maxGrains: 176,
    async read(first, end) {
      // One row for each grain, because many short rows would take longer to parse.
      const rows = await select(sql`
        SELECT grain, groupArray(service) AS services, groupArray(tuple(release)) AS releases,
          groupArray(tuple(fingerprint)) AS fingerprints, groupArray(events) AS counts, groupArray(errors) AS error_counts,
          groupArray(newest_us - grain * ${grainUs}) AS newest_offsets
        FROM (
          SELECT grain, service, release, fingerprint, sum(in_band) AS events,
            sumIf(failed_in_band, isNotNull(duration_band)) AS errors, max(newest_in_band) AS newest_us
          FROM (
            SELECT ${grain} AS grain, service, release, fingerprint, duration_band,
              count() AS in_band, countIf(status >= 500) AS failed_in_band, max(time_us) AS newest_in_band
            FROM event WHERE ${grain} >= ${first} AND ${grain} < ${end}
            GROUP BY grain, service, release, fingerprint, duration_band ${preferProjection('service_activity')}
          ) GROUP BY grain, service, release, fingerprint LIMIT ${maxCounts + 1}
        ) GROUP BY grain`)
      const slice = createTimeSlice()
      let counts = 0
      const grains = new Map<number, ActivityGrain>()
      for (const row of rows) {
        if (slice.isUsedUp()) await slice.yieldToOthers()
        const chunk = readChunk(row, groups)
        counts += chunk.group.length
        const atGrain = number(row.grain)
        grains.set(atGrain, { block: { fromUs: atGrain * grainUs, chunks: [chunk] } })
      }
      return groups.hasTooMany() || counts > maxCounts ? null : grains
    },
    empty: grain => ({ block: { fromUs: grain * grainUs, chunks: [] } }),
    add: () => null,
    bytesOf: ({ block }) => bytesOf(block),
  }
}

/** Reads the counts of a grain. The lists contain an item for each group. */
function readChunk(row: Row, groups: GroupList<CountedGroup>): EventChunk<CountedGroup> {
  const services = list(row.services, text)
  const releases = list(row.releases, firstOf)
  const fingerprints = list(row.fingerprints, firstOf)
  const events = list(row.counts, number)
  const errors = list(row.error_counts, number)
  const offsetsUs = list(row.newest_offsets, number)
  const entries: { group: number; offsetUs: number; count: number }[] = []
  const add = (index: number, isError: boolean, count: number) => {
    if (count === 0) return
    const service = services[index] ?? ''
    const [release = null, fingerprint = null] = [releases[index], fingerprints[index]]
    const group = groups.indexOf({ service, release, fingerprint, isError })
    entries.push({ group, offsetUs: offsetsUs[index] ?? 0, count })
  }
  events.forEach((count, index) => {
    const errorCount = errors[index] ?? 0
    add(index, false, count - errorCount)
    add(index, true, errorCount)
  })
  return {
    groups: groups.list,
    group: Uint32Array.from(entries, ({ group }) => group),
    end: Uint32Array.from(entries, (_, index) => index + 1),
    offsetUs: Uint32Array.from(entries, ({ offsetUs }) => offsetUs),
    bin: new Uint16Array(entries.length),
    count: Uint32Array.from(entries, ({ count }) => count),
  }
}

/** Lists of ClickHouse omit `NULL`, unless it is in a tuple. */
function firstOf(value: unknown): string | null {
  const [first = null] = list(value, textOrNull)
  return first
}
