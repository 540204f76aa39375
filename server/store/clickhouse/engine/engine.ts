import { createMutex } from '../../common/mutex.ts'
import type { Replicas } from '../../replicas.ts'
import { StoreUnavailableError } from '../../store.ts'
import { type Claims, createClaims } from './claims.ts'
import { type Connection, connect } from './connection.ts'
import { createIds, type Ids } from './ids.ts'
import { createLease, noLease } from './lease.ts'
import { type Newest, openNewest } from './newest.ts'
import { openRecords, type Records } from './records.ts'
import { joinReplicas } from './replica.ts'
import type { ServerAddress } from './server-address.ts'
import { prepareTables } from './tables.ts'
import { startWatch } from './watch.ts'

/** The resources that all parts of the store share. After `close`, all methods reject with a `StoreUnavailableError`. */
export type Engine = Omit<Connection, 'execute' | 'readText'> &
  Records & {
    ids: Ids
    claims: Pick<Claims, 'claim' | 'release'>
    newest: Pick<Newest, 'id' | 'ids' | 'foreignChanges' | 'ensureCurrent'>
    replicas: Replicas
    /**
     * Stores events. Runs one task at a time, so that events appear in the order of their ids. `close` waits for the
     * running task.
     * @param newestIdOf returns the id of the newest event that `task` stored; `null` if it stored none
     */
    append<T>(task: () => Promise<T>, newestIdOf: (result: T) => number | null): Promise<T>
  }

/**
 * Connects to the server, creates the tables or updates them, and registers this replica.
 * @throws StoreUnavailableError if the store cannot be used
 */
export async function openEngine(
  address: ServerAddress,
  { nowMs, takesLease }: { nowMs: () => number; takesLease: boolean },
): Promise<Engine> {
  const connection = connect(address)
  try {
    return await startEngine(address, connection, nowMs, takesLease)
  } catch (error) {
    await connection.close()
    throw error
  }
}

async function startEngine(
  address: ServerAddress,
  connection: Connection,
  nowMs: () => number,
  takesLease: boolean,
): Promise<Engine> {
  await prepareTables(address, connection)
  const claims = createClaims(connection)
  const replica = await joinReplicas(claims)
  const ids = createIds(replica.number, nowMs)
  const newest = await openNewest(connection, ids)

  let isClosed = false
  let closing: Promise<void> | null = null
  const checkOpen = () => {
    if (isClosed) throw new StoreUnavailableError('The store is closed')
  }
  const { access, readCached } = openRecords(connection, ids, () => watch.stateChanged())
  const watch = startWatch({
    lease: takesLease ? createLease(claims) : noLease,
    refreshEvents: newest.refresh,
    refreshState: () => access(() => {}),
  })
  const exclusively = createMutex()
  /** The replica number that was used when events were last stored. */
  let usedNumber: number | null = null

  return {
    async select(query, signal) {
      checkOpen()
      // The client ignores a signal that was aborted before the query.
      signal?.throwIfAborted()
      return connection.select(query, signal)
    },
    async change(command) {
      checkOpen()
      return connection.change(command)
    },
    async insert(...args) {
      checkOpen()
      return connection.insert(...args)
    },
    async access(work, signal) {
      checkOpen()
      return access(work, signal)
    },
    async readCached(work, signal) {
      checkOpen()
      return readCached(work, signal)
    },
    ids,
    claims,
    newest,
    replicas: watch,
    layout: connection.layout,
    async append(task, newestIdOf) {
      if (closing !== null) throw new StoreUnavailableError('The store is closed')
      return exclusively(async () => {
        await replica.confirm()
        // Readers that continue from a position skip events with old ids if the position does not list the replica's number.
        // The refresh makes the next ids exceed those of replicas whose clocks are far ahead. Once positions list the number,
        // the refreshes twice a second are sufficient.
        if (usedNumber !== replica.number()) await watch.refresh()
        usedNumber = replica.number()
        const result = await task()
        const newestId = newestIdOf(result)
        if (newestId !== null) newest.observe(newestId)
        return result
      })
    },
    close() {
      closing ??= exclusively(async () => {
        await watch.stop()
        isClosed = true
        await replica.release().catch(() => {})
        await connection.close()
      })
      return closing
    },
  }
}
