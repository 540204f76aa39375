import { number } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import { preferProjection } from '../sql/expressions.ts'
import { replicaNumber, replicaOf } from '../sql/positions.ts'
import { type Connection, maxRefreshMs } from './connection.ts'
import type { Ids } from './ids.ts'

/**
 * The newest visible event of each replica. A replica stores one batch at a time, so all of its events with smaller ids are
 * visible, too.
 */
export type Newest = {
  /** The newest id of each replica that has stored events; see `sql/positions.ts`. */
  ids(): number[]
  /** The greatest id; 0 if there are no events. */
  id(): number
  /** How often `refresh` has found events of other replicas. */
  foreignChanges(): number
  observe(id: number): void
  /** Reads the newest ids. Returns whether other replicas have stored events since the last call. */
  refresh(): Promise<boolean>
  /** Waits for a refresh that is running, and repeats a refresh that failed. */
  ensureCurrent(): Promise<void>
}

/** @param ids observes the newest ids of other replicas, so that this replica's next ids are greater */
export async function openNewest(
  { select }: Pick<Connection, 'select'>,
  ids: Pick<Ids, 'observe'>,
): Promise<Newest> {
  const byReplica = new Map<number, number>()
  let newestId = 0
  let foreignChanges = 0

  /** @returns whether the event is newer than all known events from the same replica */
  const observe = (id: number): boolean => {
    const replica = replicaOf(id)
    if (id <= (byReplica.get(replica) ?? 0)) return false
    byReplica.set(replica, id)
    newestId = Math.max(newestId, id)
    return true
  }
  let isCurrent = false
  /** The last refresh, which may have ended. */
  let lastRead = Promise.resolve()

  const read = async () => {
    const rows = await select(
      sql`SELECT max(id) AS newest_id FROM event GROUP BY ${replicaNumber} ${preferProjection('newest_ids')}`,
      AbortSignal.timeout(maxRefreshMs),
    )
    const newer = rows.map(row => number(row.newest_id)).filter(observe)
    for (const id of newer) ids.observe(id)
    if (newer.length > 0) foreignChanges += 1
  }
  const startRead = (): Promise<void> => {
    isCurrent = false
    const started = read().then(() => {
      isCurrent = lastRead === started
    })
    lastRead = started
    return started
  }

  await startRead()
  let reportedChanges = foreignChanges
  return {
    ids: () => (byReplica.size === 0 ? [0] : [...byReplica.values()].sort((a, b) => a - b)),
    id: () => newestId,
    foreignChanges: () => foreignChanges,
    observe,
    async refresh() {
      await startRead()
      const isReported = foreignChanges === reportedChanges
      reportedChanges = foreignChanges
      return !isReported
    },
    async ensureCurrent() {
      if (isCurrent) return
      // If the last refresh is still running, this waits for it. If it failed, this is another attempt.
      await lastRead.catch(startRead)
    },
  }
}
