import { number } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import { acceptedMs, idAt } from '../../common/time.ts'
import { preferProjection } from '../sql/expressions.ts'
import { replicaNumber, replicaOf, settledMs } from '../sql/positions.ts'
import type { Connection } from './connection.ts'

/**
 * The newest visible event of each replica. A replica stores one batch at a time, so all of its events with smaller ids are
 * visible, too.
 */
export type Newest = {
  /** The newest id of each replica with recent events; see `sql/positions.ts`. */
  ids(): number[]
  /** The greatest id; 0 if there are no events. */
  id(): number
  observe(id: number): void
  /** Reads the newest ids. Returns whether other replicas have stored events since the last call. */
  refresh(): Promise<boolean>
}

export async function openNewest({ select }: Pick<Connection, 'select'>): Promise<Newest> {
  const byReplica = new Map<number, number>()
  let newestId = 0

  /** @returns whether the event is newer than all known events of its replica */
  const observe = (id: number): boolean => {
    const replica = replicaOf(id)
    if (id <= (byReplica.get(replica) ?? 0)) return false
    byReplica.set(replica, id)
    newestId = Math.max(newestId, id)
    return true
  }
  const refresh = async () => {
    const rows = await select(
      sql`SELECT max(id) AS newest_id FROM event GROUP BY ${replicaNumber} ${preferProjection('newest_ids')}`,
    )
    return rows.filter(row => observe(number(row.newest_id))).length > 0
  }

  await refresh()
  return {
    ids: () => {
      const oldestId = idAt(acceptedMs(newestId) - settledMs)
      const recent = [...byReplica.values()].filter(id => id > oldestId)
      return recent.length === 0 ? [0] : recent.sort((a, b) => a - b)
    },
    id: () => newestId,
    observe,
    refresh,
  }
}
