import { Value } from 'typebox/value'
import { createMutex } from '../../common/mutex.ts'
import { number, type Row, text } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import { collections } from '../../state/collections.ts'
import type { AccessState, CollectionName, State } from '../../state/state.ts'
import { type Connection, maxRefreshMs } from './connection.ts'
import type { Ids } from './ids.ts'
import type { Columns } from './insert.ts'
import { createRecordedState, type EntryKey } from './recorded-state.ts'

/**
 * Each refresh rereads the records that were stored within this period before the last refresh that returned records. A slow
 * insert may become visible late, and the clocks of the servers may differ.
 */
const overlapUs = 60_000_000

/** The current time in microseconds, according to ClickHouse's clock. */
const serverUs = sql`toUnixTimestamp64Micro(now64(6))`

/**
 * Excludes the records of deleted entries, unless one of them is the newest of all records, or a refresh may read them
 * again. The version of the newest record is a lower limit for the next version.
 */
const notForgotten = sql`(collection, key) NOT IN (
  SELECT collection, key FROM record GROUP BY collection, key
  HAVING argMax(is_deleted, version) = 1 AND max(stored_us) < ${serverUs} - ${2 * overlapUs}
    AND max(version) < (SELECT max(version) FROM record))`

const columns: Columns = ['collection', 'key', 'value', 'version', 'is_deleted']

type Waiting = {
  /** Runs the caller's work. Returns a function that resolves the caller's promise. */
  run(): () => void
  reject(error: unknown): void
}

export type Records = {
  /**
   * Reads or changes the state, including everything that other replicas stored before the call. Concurrent calls share
   * statements.
   */
  access: AccessState
  /** Reads the state from memory, as `access` last read or stored it. `work` must not change the state. */
  readCached: AccessState
}

/**
 * Opens the state, whose entries are stored as records. If two replicas change an entry at the same time, the later change
 * wins.
 * @param ids assigns the versions of records
 * @param onForeignChange called after changes by other replicas have been read
 */
export function openRecords(
  { select, insert }: Pick<Connection, 'select' | 'insert'>,
  ids: Ids,
  onForeignChange: () => void,
): Records {
  const recorded = createRecordedState()
  const { state } = recorded
  /** The version of each known record, including deleted records. */
  const versions = new Map<string, number>()
  /** The time of the last refresh that returned records, according to ClickHouse's clock. */
  let readUs = 0
  /**
   * Whether the state in memory may differ from the stored records: before the first refresh, during an insert, and after a
   * failed insert.
   */
  let isStale = true

  const refresh = async () => {
    if (isStale) {
      recorded.clear()
      versions.clear()
      readUs = 0
    }
    let isForeign = false
    // The clock may have been ahead at the last refresh.
    const newer = isStale ? notForgotten : sql`stored_us > least(${readUs}, ${serverUs}) - ${overlapUs}`
    const limit = isStale ? undefined : AbortSignal.timeout(maxRefreshMs)
    const rows = await select(recordsWhere(newer), limit)
    for (const row of rows) {
      readUs = number(row.read_us)
      const key = keyOf(text(row.collection), text(row.key))
      const version = number(row.version)
      if (version <= (versions.get(key) ?? -1)) continue
      versions.set(key, version)
      ids.observe(version)
      isForeign = true
      apply(state, row)
    }
    isStale = false
    if (isForeign) onForeignChange()
  }

  const store = async (changed: ReadonlyMap<string, EntryKey>) => {
    const versionIds = ids.take(changed.size)
    const rows = Array.from(changed.values(), ([collection, key], index) => {
      const value = recorded.valueOf([collection, key])
      const version = versionIds[index] ?? 0
      versions.set(keyOf(collection, key), version)
      return [collection, key, JSON.stringify(value ?? null), version, Number(value === undefined)]
    })
    await insert('record', columns, rows, `records ${versionIds[0]}`)
  }

  const runAll = async (batch: readonly Waiting[]): Promise<void> => {
    if (batch.length === 0) return
    await refresh()
    const changed = new Map<string, EntryKey>()
    const done: (() => void)[] = []
    const [readers, writers]: [Waiting[], Waiting[]] = [[], []]
    for (const each of batch) {
      recorded.record()
      try {
        done.push(each.run())
      } catch (error) {
        recorded.undoChanges()
        each.reject(error)
        continue
      }
      const changes = recorded.takeChanges()
      for (const entry of changes) changed.set(keyOf(...entry), entry)
      if (changes.length === 0) readers.push(each)
      else writers.push(each)
    }
    if (writers.length > 0) {
      isStale = true
      try {
        await store(changed)
      } catch (error) {
        for (const { reject } of writers) reject(error)
        // The readers may have read changes that were not stored.
        return runAll(readers)
      }
      isStale = false
    }
    for (const resolve of done) resolve()
  }

  let waiting: Waiting[] = []
  const withLock = createMutex()
  const runWaiting = () =>
    withLock(async () => {
      const batch = waiting
      waiting = []
      await runAll(batch).catch(error => {
        for (const { reject } of batch) reject(error)
      })
    })

  const access: AccessState = (work, signal) =>
    new Promise((resolve, reject) => {
      const run = () => {
        signal?.throwIfAborted()
        const result = work(state)
        return () => resolve(result)
      }
      waiting.push({ run, reject })
      void runWaiting()
    })

  return {
    access,
    async readCached(work, signal) {
      if (isStale) return access(work, signal)
      return work(state)
    },
  }
}

function recordsWhere(condition: Sql): Sql {
  return sql`SELECT collection, key, value, version, is_deleted, ${serverUs} AS read_us
    FROM record
    WHERE ${condition} ORDER BY version`
}

function keyOf(collection: string, key: string): string {
  return `${collection} ${key}`
}

/** Ignores collections and values that only a newer version supports, so that this version can run at the same time. */
function apply(state: State, row: Row): void {
  const collection = text(row.collection)
  if (!isCollection(collection)) return
  if (number(row.is_deleted) === 1) state[collection].delete(text(row.key))
  else setEntry(state, collection, text(row.key), JSON.parse(text(row.value)))
}

function setEntry<Name extends CollectionName>(state: State, name: Name, key: string, value: unknown): void {
  if (Value.Check(collections[name], value)) state[name].set(key, value)
  else state[name].delete(key)
}

function isCollection(name: string): name is CollectionName {
  return Object.hasOwn(collections, name)
}
