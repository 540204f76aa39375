import { createTimeSlice } from '../../../time-slice.ts'
import { groupBy } from '../../common/group-by.ts'
import { addChunk, bytesOf, createChunkWriter, type EventBlock } from '../../common/metrics/event-block.ts'
import { type GroupList, maxGroups } from '../../common/metrics/group-list.ts'
import { grainUs } from '../../common/metrics/times.ts'
import { list, number } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { Connection } from '../engine/connection.ts'
import { replicaNumber, replicaOf } from '../sql/positions.ts'
import {
  type CachedEvent,
  type CachedGroup,
  groupColumns,
  groupKeys,
  readBins,
  readGroup,
} from './cached-event.ts'
import type { GrainReader } from './grain-cache.ts'

/** The events of half an hour. */
type EventGrain = {
  block: EventBlock<CachedGroup>
  events: number
  /** The newest id of each replica among the events that were read. All events with smaller ids are in the block. */
  readIds: ReadonlyMap<number, number>
}

/** With more events in a grain, a query is faster than reading them into memory. */
const maxGrainEvents = 200_000

/** Reads the time and duration of each event. New events are added without another query. */
export function eventGrains(
  { select }: Pick<Connection, 'select'>,
  groups: GroupList<CachedGroup>,
): GrainReader<EventGrain> {
  const isWithin = (first: number, end: number) =>
    sql`time_us >= ${first * grainUs} AND time_us < ${end * grainUs}`

  return {
    grainUs,
    maxGrains: 3,
    async read(first, end) {
      const maxRead = (end - first) * maxGrainEvents
      const rows = await select(sql`
        SELECT intDiv(time_us, ${grainUs}) AS grain, ${groupKeys},
          groupArray(time_us - grain * ${grainUs}) AS offsets, groupArray(duration_bin) AS bins,
          maxMap([${replicaNumber}], [id]) AS newest_ids
        FROM (SELECT id, time_us, duration_bin, ${groupColumns} FROM event WHERE ${isWithin(first, end)} LIMIT ${maxRead + 1})
        GROUP BY grain, ${groupKeys} LIMIT ${maxGroups + 1}`)
      if (rows.length > maxGroups) return null
      const slice = createTimeSlice()
      const found = new Map<number, { writer: ChunkWriter; events: number; readIds: Map<number, number> }>()
      for (const row of rows) {
        if (slice.isUsedUp()) await slice.yieldToOthers()
        const grain = number(row.grain)
        const into = found.get(grain) ?? {
          writer: createChunkWriter(groups.list),
          events: 0,
          readIds: new Map<number, number>(),
        }
        found.set(grain, into)
        const [offsets, bins] = [list(row.offsets, number), readBins(row)]
        offsets.forEach((offsetUs, index) => {
          into.writer.addEvent(offsetUs, bins[index] ?? 0)
        })
        into.writer.endGroup(groups.indexOf(readGroup(row)))
        into.events += offsets.length
        const [replicas = [], ids = []] = list(row.newest_ids, each => list(each, number))
        for (const [index, replica] of replicas.entries())
          into.readIds.set(replica, Math.max(into.readIds.get(replica) ?? 0, ids[index] ?? 0))
      }
      if (groups.hasTooMany() || [...found.values()].some(({ events }) => events > maxGrainEvents))
        return null
      return new Map(
        Array.from(found, ([grain, { writer, events, readIds }]) => [
          grain,
          { block: { fromUs: grain * grainUs, chunks: [writer.finish()] }, events, readIds },
        ]),
      )
    },
    empty: grain => ({ block: { fromUs: grain * grainUs, chunks: [] }, events: 0, readIds: new Map() }),
    add({ block, events, readIds }, added) {
      const missing = added.filter(({ id }) => id > (readIds.get(replicaOf(id)) ?? 0))
      if (events + missing.length > maxGrainEvents) return null
      if (missing.length === 0) return { block, events, readIds }
      const chunk = chunkOf(missing, block.fromUs, groups)
      if (groups.hasTooMany()) return null
      return { block: addChunk(block, chunk), events: events + missing.length, readIds }
    },
    bytesOf: ({ block }) => bytesOf(block),
  }
}

type ChunkWriter = ReturnType<typeof createChunkWriter<CachedGroup>>

function chunkOf(events: readonly CachedEvent[], fromUs: number, groups: GroupList<CachedGroup>) {
  const writer = createChunkWriter(groups.list)
  for (const [{ group }, ofGroup] of groupBy(events, ({ group }) => groups.indexOf(group))) {
    for (const { timeUs, bin } of ofGroup) writer.addEvent(timeUs - fromUs, bin)
    writer.endGroup(groups.indexOf(group))
  }
  return writer.finish()
}
