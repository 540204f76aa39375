import type { LogEvent } from '../../../../shared/event.ts'
import { createMutex } from '../../common/mutex.ts'
import { sql } from '../../common/sql.ts'
import type { Engine } from '../engine/engine.ts'
import { between, replicaOf } from '../sql/positions.ts'
import { eventColumns, type MemoryEvent, memoryEvent, readMemoryEvent } from './memory-event.ts'

/** With more new events, it is faster to read everything again. */
const maxRead = 20_000
/** Larger batches are read from ClickHouse when they are needed, so that ingest at full speed does no extra work. */
const maxAdded = 100

/**
 * Follows the events that replicas store.
 * @param onEvents called once for each new event
 * @param onChange called if stored events have been changed or deleted, or if there are too many new events
 */
export function createNewEvents(
  { select, newest, readCached }: Pick<Engine, 'select' | 'newest' | 'readCached'>,
  onEvents: (events: readonly MemoryEvent[]) => void,
  onChange: () => void,
) {
  /** The newest id of each replica that has been processed. */
  const processed = new Map<number, number>()
  const setProcessed = (ids: readonly number[]) => {
    for (const id of ids) processed.set(replicaOf(id), Math.max(processed.get(replicaOf(id)) ?? 0, id))
  }
  setProcessed(newest.ids())
  const withLock = createMutex()
  let changes: string | undefined
  /** Whether this replica has stored events that have not been added. */
  let isBehind = false
  /** Batches that this replica stored during the current read. */
  let waiting: (readonly LogEvent[])[] | null = null

  const addOwn = (stored: readonly LogEvent[]) => {
    const [first, last] = [stored[0], stored.at(-1)]
    if (first === undefined || last === undefined) return
    if (last.id <= (processed.get(replicaOf(last.id)) ?? 0)) return
    if (isBehind || stored.length > maxAdded) {
      isBehind = true
      return
    }
    onEvents(stored.map(memoryEvent))
    setProcessed([last.id])
  }

  const readNewer = async () => {
    const upTo = newest.ids()
    const unread = between([...processed.values()], upTo)
    if (unread === null) return
    waiting = []
    isBehind = false
    try {
      const rows = await select(sql`SELECT ${eventColumns} FROM event WHERE ${unread} LIMIT ${maxRead + 1}`)
      if (rows.length > maxRead) onChange()
      else if (rows.length > 0) onEvents(rows.map(readMemoryEvent))
      setProcessed(upTo)
    } catch (error) {
      isBehind = true
      throw error
    } finally {
      const stored = waiting
      waiting = null
      for (const batch of stored) addOwn(batch)
    }
  }

  return {
    /** Processes all events that were stored before the last refresh, and those that this replica has stored. */
    read: (): Promise<void> =>
      withLock(async () => {
        await newest.ensureCurrent()
        const current = await readCached(({ eventChanges }) => eventChanges.get('newest'))
        if (current !== changes) {
          changes = current
          onChange()
        }
        await readNewer()
      }),
    /** See `EventMemory`. */
    add(stored: readonly LogEvent[]) {
      if (waiting === null) addOwn(stored)
      else waiting.push(stored)
    },
  }
}
