import { number, text } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { Connection } from '../engine/connection.ts'

/** The number of ids in a partition; see `engine/tables.ts`. */
export const idsPerPartition = 353_894_400_000

/** A partition contains the events that were accepted on one day. */
export type Partition = {
  /** The partition's id in ClickHouse. */
  name: string
  events: number
  bytes: number
  firstId: number
  /** The first id after the partition. */
  endId: number
}

/** All partitions, oldest first. */
export async function partitions({
  select,
  layout,
}: Pick<Connection, 'select' | 'layout'>): Promise<Partition[]> {
  const rows = await select(sql`
    SELECT partition_id, sum(rows) AS events, sum(bytes_on_disk) AS bytes ${layout.parts}
    GROUP BY partition_id ORDER BY toInt64OrZero(partition_id)`)
  return rows.map(row => {
    const day = Number(text(row.partition_id))
    return {
      name: text(row.partition_id),
      events: number(row.events),
      bytes: number(row.bytes),
      firstId: day * idsPerPartition,
      endId: (day + 1) * idsPerPartition,
    }
  })
}

/** The disk space that the events use. */
export async function eventBytes(connection: Pick<Connection, 'select' | 'layout'>): Promise<number> {
  return (await partitions(connection)).reduce((sum, { bytes }) => sum + bytes, 0)
}
