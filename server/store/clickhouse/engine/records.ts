import { Value } from 'typebox/value'
import { createMutex } from '../../common/mutex.ts'
import { number, type Row, text } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import { collections } from '../../state/collections.ts'
import type { AccessState, CollectionName, State } from '../../state/state.ts'
import { QueryLimitError } from '../../store.ts'
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

/** The total size of the records that a query reads if there are too many for a single query. */
const defaultPageBytes = 64_000_000
/** The size of a record in a result, besides its key and value. */
const rowBytes = 64

/** The time of a read, and the version of the newest record. All pages of a read use the same values. */
type ReadTime = { us: Sql; newest: Sql }

const currently: ReadTime = { us: serverUs, newest: sql`(SELECT max(version) FROM record)` }

/**
 * Excludes the records of deleted entries, unless one of them is the newest of all records, or a refresh may read them
 * again. The version of the newest record is a lower limit for the next version.
 */
function notForgotten({ us, newest }: ReadTime): Sql {
  return sql`(collection, key) NOT IN (
    SELECT collection, key FROM record GROUP BY collection, key
    HAVING argMax(is_deleted, version) = 1 AND max(stored_us) < ${us} - ${2 * overlapUs}
      AND max(version) < ${newest})`
}

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
 * @param pageBytes see `defaultPageBytes`
 */
export function openRecords(
  { select, insert }: Pick<Connection, 'select' | 'insert'>,
  ids: Ids,
  onForeignChange: () => void,
  pageBytes = defaultPageBytes,
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
  /** Whether a change by another replica has been read since `onForeignChange` was called. */
  let isForeign = false

  const refresh = async () => {
    if (isStale) {
      recorded.clear()
      versions.clear()
      readUs = 0
    }
    // The clock may have been ahead at the last refresh.
    const newer = ({ us }: ReadTime) => sql`stored_us > least(${readUs}, ${us}) - ${overlapUs}`
    const pages = isStale
      ? readPages(query => select(query), notForgotten, pageBytes)
      : readPages(query => select(query, AbortSignal.timeout(maxRefreshMs)), newer, pageBytes)
    let startUs: number | null = null
    for await (const rows of pages) {
      for (const row of rows) {
        startUs ??= number(row.read_us)
        const key = keyOf(text(row.collection), text(row.key))
        const version = number(row.version)
        if (version <= (versions.get(key) ?? -1)) continue
        versions.set(key, version)
        ids.observe(version)
        isForeign = true
        apply(state, row)
      }
    }
    readUs = startUs ?? readUs
    isStale = false
    if (!isForeign) return
    isForeign = false
    onForeignChange()
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

/**
 * Reads records in the order of their versions, with one query or, if a query's limits are exceeded, with a query for each
 * page. Other replicas may change an entry between two queries, and ClickHouse may then remove its earlier record. The newer
 * record has a higher version, so it is on the same page or a later one, and the last page has no upper limit. Records that
 * are stored later on an earlier page are read by the next refresh.
 */
async function* readPages(
  select: (query: Sql) => Promise<Row[]>,
  condition: (time: ReadTime) => Sql,
  pageBytes: number,
): AsyncGenerator<Row[]> {
  try {
    yield await select(recordsWhere(condition(currently), currently))
    return
  } catch (error) {
    if (!(error instanceof QueryLimitError)) throw error
  }
  const [now] = await select(sql`SELECT ${serverUs} AS us, max(version) AS newest FROM record`)
  const time = { us: sql`${number(now?.us)}`, newest: sql`${number(now?.newest)}` }
  const pages = await select(pageEnds(pageBytes))
  const last = pages.at(-1)
  let after = -1
  for (const page of pages) {
    const upTo = number(page.version)
    const isOnPage = page === last ? sql`version > ${after}` : sql`version > ${after} AND version <= ${upTo}`
    yield await select(recordsWhere(sql`${isOnPage} AND ${condition(time)}`, time))
    after = upTo
  }
}

function recordsWhere(condition: Sql, { us }: ReadTime): Sql {
  return sql`SELECT collection, key, value, version, is_deleted, ${us} AS read_us
    FROM record
    WHERE ${condition} ORDER BY version`
}

/** Selects the highest version on each page of all records. */
function pageEnds(pageBytes: number): Sql {
  return sql`SELECT max(record_version) AS version FROM (
      SELECT version AS record_version, intDiv(
        sum(length(key) + length(value) + ${rowBytes}) OVER (ORDER BY version ROWS UNBOUNDED PRECEDING), ${pageBytes}
      ) AS page
      FROM record)
    GROUP BY page ORDER BY page`
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
