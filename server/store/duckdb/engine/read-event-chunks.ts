import { createTimeSlice } from '../../../time-slice.ts'
import { binOf } from '../../common/duration-bins.ts'
import {
  createChunkWriter,
  createCountWriter,
  type EventChunk,
  type EventGroup,
} from '../../common/metrics/event-block.ts'
import { maxGroups } from '../../common/metrics/group-list.ts'
import { grainUs } from '../../common/metrics/times.ts'
import { number, numberOrNull, text, textOrNull } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import { isRequestEvent } from '../sql/duration-lists.ts'
import { floorTo } from '../sql/floor-to.ts'
import { readSeverity } from '../sql/severity.ts'
import type { ReadResult } from './connections.ts'
import { type EventGroups, toGroup } from './event-groups.ts'
import type { Result } from './result.ts'

const fromUs = floorTo(sql`time_us`, grainUs)
const groupColumns = sql`severity, service, release, source, method, route, status, fingerprint,
  coalesce(${isRequestEvent}, false) AS is_request`

/** Maximum number of counts in one read. Adding up more counts would take longer than computing the result in the engine. */
const maxCounts = 200_000

/**
 * Reads the events of a table into memory, as one chunk per block. The key of a chunk is the start time of its block.
 * @param events a subquery
 * @param maxEvents upper bound on the number of events
 * @param groups the known groups, to which new groups are added
 * @returns `null` if there are too many groups
 */
export async function readEventChunks(
  readResult: ReadResult,
  events: Sql,
  maxEvents: number,
  groups: EventGroups,
): Promise<Map<number, EventChunk> | null> {
  if (groups.hasTooMany()) return null
  if (maxEvents > maxGroups) {
    const distinct = sql`SELECT DISTINCT ${groupColumns} FROM ${events} LIMIT ${maxGroups + 1}`
    const count = await readResult(sql`SELECT count(*) FROM (${distinct})`)
    if (number(count.value(0, 0)) > maxGroups) return null
  }
  const result = await readResult(sql`
    SELECT ${fromUs} AS from_us, ${groupColumns}, list(time_us - ${fromUs}) AS offsets, list(duration_ms) AS durations
    FROM ${events} GROUP BY ALL`)
  const writers = new Map<number, ReturnType<typeof createChunkWriter<EventGroup>>>()
  const slice = createTimeSlice()
  for (let row = 0; row < result.rowCount; row += 1) {
    if (slice.isUsedUp()) await slice.yieldToOthers()
    const blockUs = number(result.value(0, row))
    const writer = writers.get(blockUs) ?? createChunkWriter(groups.list)
    writers.set(blockUs, writer)
    const group = readGroup(result, row)
    const offsets = result.list(10, row)
    const durations = result.list(11, row)
    for (let index = 0; index < offsets.length; index += 1) {
      writer.addEvent(number(offsets.at(index)), group.isRequest ? binOf(number(durations.at(index))) : 0)
    }
    writer.endGroup(groups.indexOf(group))
  }
  return new Map([...writers].map(([blockUs, writer]) => [blockUs, writer.finish()]))
}

/** Like `readEventChunks`, but counts the events of each group. Also returns `null` if there are too many counts. */
export async function readCountedChunks(
  readResult: ReadResult,
  events: Sql,
  groups: EventGroups,
): Promise<Map<number, EventChunk> | null> {
  const counts = sql`
    SELECT ${fromUs} AS from_us, ${groupColumns}, max(time_us - ${fromUs}) AS newest_us, count(*) AS count
    FROM ${events} GROUP BY ALL LIMIT ${maxCounts + 1}`
  // The query returns lists, because reading a group's fields again for each of its many counts would take most of the time.
  const result = await readResult(sql`
    SELECT list(from_us), * EXCLUDE (from_us, newest_us, count), list(newest_us), list(count)
    FROM (${counts}) GROUP BY ALL`)
  const writers = new Map<number, ReturnType<typeof createCountWriter<EventGroup>>>()
  const slice = createTimeSlice()
  let read = 0
  for (let row = 0; row < result.rowCount; row += 1) {
    if (slice.isUsedUp()) await slice.yieldToOthers()
    const group = groups.indexOf(readGroup(result, row))
    const starts = result.list(0, row)
    const newest = result.list(10, row)
    const sizes = result.list(11, row)
    for (let index = 0; index < starts.length; index += 1) {
      const blockUs = number(starts.at(index))
      const writer = writers.get(blockUs) ?? createCountWriter(groups.list)
      writers.set(blockUs, writer)
      writer.add(group, number(newest.at(index)), number(sizes.at(index)))
    }
    read += starts.length
    if (read > maxCounts || groups.hasTooMany()) return null
  }
  return new Map([...writers].map(([blockUs, writer]) => [blockUs, writer.finish()]))
}

/** Reads `groupColumns`, which follow the first column. */
function readGroup(result: Result, row: number): EventGroup {
  return toGroup({
    severity: readSeverity(number(result.value(1, row))),
    service: text(result.value(2, row)),
    release: textOrNull(result.value(3, row)),
    source: text(result.value(4, row)),
    method: textOrNull(result.value(5, row)),
    route: textOrNull(result.value(6, row)),
    status: numberOrNull(result.value(7, row)),
    fingerprint: textOrNull(result.value(8, row)),
    isRequest: result.value(9, row) === true,
  })
}
