import type { RetentionLimits } from '../../../../shared/retention-limits.ts'
import { number, text } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import { idAt, microsOf } from '../../common/time.ts'
import type { Connection } from '../engine/connection.ts'

/** Rows take a little more space per event after some are deleted. */
const margin = 0.95

/** The size of each partition (a day of acceptance), oldest first. */
async function partitions({ select, layout }: Pick<Connection, 'select' | 'layout'>) {
  const rows = await select(sql`
    SELECT partition, sum(rows) AS events, sum(bytes_on_disk) AS bytes ${layout.parts}
    GROUP BY partition ORDER BY toInt64OrZero(partition)`)
  return rows.map(row => ({
    partition: text(row.partition),
    events: number(row.events),
    bytes: number(row.bytes),
  }))
}

/** The disk space of the events. */
export async function eventBytes(connection: Pick<Connection, 'select' | 'layout'>): Promise<number> {
  return (await partitions(connection)).reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Events that occurred or were accepted too long ago. */
function tooOld({ maxAgeMs }: Pick<RetentionLimits, 'maxAgeMs'>, nowMs: number): Sql {
  return sql`(time_us < ${microsOf(nowMs - maxAgeMs)} OR id < ${idAt(nowMs - maxAgeMs)})`
}

/** Events that are too old, or older than the newest events that fit into the size limit. */
async function expired(
  connection: Pick<Connection, 'select' | 'layout'>,
  limits: RetentionLimits,
  nowMs: number,
): Promise<Sql> {
  const old = tooOld(limits, nowMs)
  const days = await partitions(connection)
  let excessBytes = days.reduce((sum, { bytes }) => sum + bytes, 0) - limits.maxBytes
  if (excessBytes <= 0) return old
  excessBytes += (1 - margin) * limits.maxBytes
  let surplus = 0
  for (const { events, bytes } of days) {
    surplus += Math.ceil(events * Math.min(1, Math.max(0, excessBytes) / bytes))
    excessBytes -= bytes
  }
  const [row] = await connection.select(sql`
    SELECT max(id) AS last_id FROM (SELECT id FROM event ORDER BY id LIMIT ${surplus})`)
  return sql`(${old} OR id <= ${number(row?.last_id)})`
}

export async function countExpired(
  connection: Pick<Connection, 'select' | 'layout'>,
  limits: RetentionLimits,
  nowMs: number,
): Promise<number> {
  return countWhere(connection, await expired(connection, limits, nowMs))
}

/** Deletes expired events, and returns how many. */
export async function retain(
  connection: Pick<Connection, 'select' | 'change' | 'layout'>,
  limits: RetentionLimits,
  nowMs: number,
): Promise<number> {
  const condition = await expired(connection, limits, nowMs)
  const count = await countWhere(connection, condition)
  // A mutation frees the disk space at once, unlike a lightweight delete.
  const { layout } = connection
  if (count > 0)
    await connection.change(sql`ALTER TABLE ${layout.storedEvents} ${layout.on} DELETE WHERE ${condition}`)
  return count
}

async function countWhere({ select }: Pick<Connection, 'select'>, condition: Sql): Promise<number> {
  const [row] = await select(sql`SELECT count() AS count FROM event WHERE ${condition}`)
  return number(row?.count)
}
