import type { RetentionLimits } from '../../../../shared/retention-limits.ts'
import { number } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import { idAt, microsOf } from '../../common/time.ts'
import type { Connection } from '../engine/connection.ts'
import { idsPerPartition, type Partition, partitions } from './partitions.ts'

/**
 * If the events exceed the size limit, the oldest are deleted until the others use this share of the limit. The share is
 * less than 1, because the deletion slightly increases the space that each remaining event uses.
 */
const margin = 0.95

/** The expired events: those that occurred or were accepted too long ago, or that exceed the size limit. */
export type Expired = {
  /** The partitions whose events have all expired. */
  whole: readonly Partition[]
  /** Selects the expired events in other partitions. */
  single: Sql
  /** Whether the partitions that are not too old exceed the size limit. */
  isTooLarge: boolean
  /** Counts the expired events in other partitions, by partition number. */
  countSingle(): Promise<Map<number, number>>
}

export async function findExpired(
  connection: Pick<Connection, 'select' | 'layout'>,
  { maxAgeMs, maxBytes }: RetentionLimits,
  nowMs: number,
): Promise<Expired> {
  const { select } = connection
  const oldest: Oldest = { id: idAt(nowMs - maxAgeMs), us: microsOf(nowMs - maxAgeMs) }
  const all = await partitions(connection)
  const recent = all.filter(({ endId }) => endId > oldest.id)
  const isTooLarge = recent.reduce((sum, { bytes }) => sum + bytes, 0) > maxBytes
  // Events that are too old are deleted anyway, so they do not count towards the size limit.
  const old = isTooLarge
    ? await countByPartition(select, recent[0]?.firstId ?? 0, oldest.id, oldest)
    : new Map<number, number>()
  const surplus = surplusOf(
    recent.map(each => withoutOld(each, old)),
    maxBytes,
  )
  const whole = all.slice(0, all.length - recent.length + surplus.whole)
  const startId = whole.at(-1)?.endId ?? 0
  const partly = surplus.events > 0 ? recent[surplus.whole] : undefined
  const surplusEndId = partly === undefined ? 0 : await idAfter(select, partly, surplus.events, oldest)
  const endId = Math.max(startId, oldest.id, surplusEndId)
  return {
    whole,
    single: sql`(id < ${endId} OR time_us < ${oldest.us})`,
    isTooLarge,
    countSingle: () => countByPartition(select, startId, endId, oldest),
  }
}

/** Events with a smaller id or an earlier time are too old. */
type Oldest = { id: number; us: number }

export async function countExpired(
  connection: Pick<Connection, 'select' | 'layout'>,
  limits: RetentionLimits,
  nowMs: number,
): Promise<number> {
  const { whole, countSingle } = await findExpired(connection, limits, nowMs)
  return countOf(whole, await countSingle())
}

export function countOf(whole: readonly Partition[], single: ReadonlyMap<number, number>): number {
  return [...whole.map(({ events }) => events), ...single.values()].reduce((sum, count) => sum + count, 0)
}

/**
 * Counts events by partition number: those from `startId` on that have an id below `endId`, or that occurred too long ago.
 */
async function countByPartition(
  select: Connection['select'],
  startId: number,
  endId: number,
  oldest: Oldest,
): Promise<Map<number, number>> {
  // Two conditions, because ClickHouse reads only a few granules for each of them, but all granules if they are combined
  // with OR.
  const conditions = [
    sql`id >= ${startId} AND id < ${endId}`,
    sql`id >= ${Math.max(startId, endId)} AND time_us < ${oldest.us}`,
  ]
  const counts = new Map<number, number>()
  for (const condition of conditions) {
    const rows = await select(sql`
      SELECT intDiv(id, ${idsPerPartition}) AS day, count() AS count FROM event WHERE ${condition} GROUP BY day`)
    for (const { day, count } of rows) counts.set(number(day), (counts.get(number(day)) ?? 0) + number(count))
  }
  return counts
}

/** Returns a partition without the events that are too old. Its size is an estimate. */
function withoutOld(partition: Partition, old: ReadonlyMap<number, number>): Partition {
  const { firstId, events, bytes } = partition
  const left = Math.max(0, events - (old.get(firstId / idsPerPartition) ?? 0))
  return { ...partition, events: left, bytes: (bytes * left) / Math.max(1, events) }
}

/**
 * How many of the oldest partitions to drop, and how many events to delete from the next partition, so that the other events
 * fit within the size limit.
 */
function surplusOf(all: readonly Partition[], maxBytes: number): { whole: number; events: number } {
  const excess = all.reduce((sum, { bytes }) => sum + bytes, 0) - maxBytes
  if (excess <= 0) return { whole: 0, events: 0 }
  let excessBytes = excess + (1 - margin) * maxBytes
  for (const [index, { events, bytes }] of all.entries()) {
    if (excessBytes < bytes) return { whole: index, events: Math.ceil((events * excessBytes) / bytes) }
    excessBytes -= bytes
  }
  return { whole: all.length, events: 0 }
}

/** Returns the id after that of the `events`-th event in a partition, not counting events that are too old. */
async function idAfter(
  select: Connection['select'],
  { firstId, endId }: Partition,
  events: number,
  oldest: Oldest,
): Promise<number> {
  const [row] = await select(sql`
    SELECT max(id) AS last_id FROM (
      SELECT id FROM event
      WHERE id >= ${Math.max(firstId, oldest.id)} AND id < ${endId} AND time_us >= ${oldest.us}
      ORDER BY id LIMIT ${events})`)
  return number(row?.last_id) + 1
}
