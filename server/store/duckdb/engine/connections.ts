import { setTimeout } from 'node:timers/promises'
import type { DuckDBConnection, DuckDBResult } from '@duckdb/node-api'
import type { Row } from '../../common/rows.ts'
import type { Sql } from '../../common/sql.ts'
import { isOutOfMemory } from './engine-errors.ts'
import { type Result, readChunks } from './result.ts'
import { rollback } from './rollback.ts'
import { runStatement } from './transaction.ts'

/** Runs a query off the event loop. Rejects with the signal's reason when the signal is aborted. */
export type RunQuery = (query: Sql, signal?: AbortSignal) => Promise<Row[]>
/** Like `RunQuery`, but for results with too many rows to convert at once. */
export type ReadResult = (query: Sql, signal?: AbortSignal) => Promise<Result>

export type ConnectionPool = {
  runQuery: RunQuery
  readResult: ReadResult
  /** Interrupts the running queries, rejects all others, and resolves when no query is running. */
  stop(): Promise<void>
}

/** A connection ignores interrupts until its statement has started, so interrupts are repeated. */
const interruptEveryMs = 5

/**
 * Runs queries on a pool of connections, one query per connection; further queries wait in a queue. If there are
 * several connections, one is reserved for quick queries. Waiting pages take turns, so a page with many queries does
 * not delay the others. The abort signal identifies the page. A query that is aborted in the queue never starts.
 */
export function createConnectionPool(connections: readonly DuckDBConnection[]): ConnectionPool {
  const free = [...connections]
  const maxSlow = Math.max(1, connections.length - 1)
  let slowRunning = 0
  let waiting: Waiting[] = []
  let isStopped = false
  const mayStart = ({ isSlow }: Pick<Waiting, 'isSlow'>) =>
    free.length > 0 && (!isSlow || slowRunning < maxSlow)

  const start = (isSlow: boolean): DuckDBConnection | undefined => {
    const connection = mayStart({ isSlow }) ? free.pop() : undefined
    if (connection !== undefined && isSlow) slowRunning += 1
    return connection
  }

  const startWaiting = () => {
    for (;;) {
      const next = waiting.find(mayStart)
      if (next === undefined) return
      const isOfPage = ({ page }: Waiting) => page !== undefined && page === next.page
      const rest = waiting.filter(each => each !== next)
      waiting = [...rest.filter(each => !isOfPage(each)), ...rest.filter(isOfPage)]
      const connection = start(next.isSlow)
      if (connection !== undefined) next.resolve(connection)
    }
  }

  const acquire = (isSlow: boolean, page: AbortSignal | undefined) =>
    new Promise<DuckDBConnection>((resolve, reject) => {
      if (isStopped) return reject(closed())
      const connection = start(isSlow)
      if (connection !== undefined) return resolve(connection)
      const onAbort = () => {
        waiting = waiting.filter(each => each !== query)
        reject(page?.reason)
      }
      const query: Waiting = {
        page,
        isSlow,
        resolve(acquired) {
          page?.removeEventListener('abort', onAbort)
          resolve(acquired)
        },
        reject(reason) {
          page?.removeEventListener('abort', onAbort)
          reject(reason)
        },
      }
      waiting.push(query)
      page?.addEventListener('abort', onAbort, { once: true })
    })

  const withConnection = async <Output>(
    query: Sql,
    signal: AbortSignal | undefined,
    read: (result: DuckDBResult) => Promise<Output>,
  ): Promise<Output> => {
    signal?.throwIfAborted()
    const connection = await acquire(query.isSlow, signal)
    try {
      return await run(connection, query, signal, read)
    } finally {
      free.push(connection)
      if (query.isSlow) slowRunning -= 1
      startWaiting()
    }
  }

  return {
    runQuery: (query, signal) => withConnection(query, signal, result => result.getRowObjectsJS()),
    readResult: (query, signal) => withConnection(query, signal, readChunks),
    async stop() {
      isStopped = true
      for (const { reject } of waiting.splice(0)) reject(closed())
      while (free.length < connections.length) {
        for (const connection of connections) connection.interrupt()
        await setTimeout(interruptEveryMs)
      }
    },
  }
}

function closed(): Error {
  return new Error('The connections are closed')
}

/** A queued query and its page's abort signal. */
type Waiting = {
  page: AbortSignal | undefined
  isSlow: boolean
  resolve(connection: DuckDBConnection): void
  reject(reason: Error): void
}

async function run<Output>(
  connection: DuckDBConnection,
  query: Sql,
  signal: AbortSignal | undefined,
  read: (result: DuckDBResult) => Promise<Output>,
): Promise<Output> {
  signal?.throwIfAborted()
  let repeat: NodeJS.Timeout | undefined
  const interrupt = () => {
    connection.interrupt()
    repeat = setInterval(() => connection.interrupt(), interruptEveryMs)
  }
  signal?.addEventListener('abort', interrupt, { once: true })
  try {
    const output = await read(await runStatement(connection, query))
    signal?.throwIfAborted()
    return output
  } catch (error) {
    // The engine rolls back failed queries itself, but may lack the memory to do so.
    if (isOutOfMemory(error)) await rollback(connection)
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', interrupt)
    clearInterval(repeat)
  }
}
