import type { DuckDBConnection } from '@duckdb/node-api'
import { type Sql, statement } from '../sql/sql.ts'

export type Row = Readonly<Record<string, unknown>>

/** Runs a query off the event loop. Rejects with the signal's reason when the signal is aborted. */
export type RunQuery = (query: Sql, signal?: AbortSignal) => Promise<Row[]>

/** A connection ignores an interrupt before its statement has started, so the interrupt is repeated. */
const interruptEveryMs = 5

/**
 * Runs queries on a pool of connections, one per connection at a time; the rest queue in order. A query that is aborted
 * in the queue never starts.
 */
export function createQueryRunner(connections: readonly DuckDBConnection[]): RunQuery {
  const free = [...connections]
  const waiting: ((connection: DuckDBConnection) => void)[] = []

  const acquire = (signal: AbortSignal | undefined) =>
    new Promise<DuckDBConnection>((resolve, reject) => {
      const connection = free.pop()
      if (connection !== undefined) return resolve(connection)
      const onFree = (freed: DuckDBConnection) => {
        signal?.removeEventListener('abort', onAbort)
        resolve(freed)
      }
      const onAbort = () => {
        waiting.splice(waiting.indexOf(onFree), 1)
        reject(signal?.reason)
      }
      waiting.push(onFree)
      signal?.addEventListener('abort', onAbort, { once: true })
    })

  return async (query, signal) => {
    signal?.throwIfAborted()
    const connection = await acquire(signal)
    try {
      return await run(connection, query, signal)
    } finally {
      const next = waiting.shift()
      if (next === undefined) free.push(connection)
      else next(connection)
    }
  }
}

async function run(
  connection: DuckDBConnection,
  query: Sql,
  signal: AbortSignal | undefined,
): Promise<Row[]> {
  signal?.throwIfAborted()
  let repeat: NodeJS.Timeout | undefined
  const interrupt = () => {
    connection.interrupt()
    repeat = setInterval(() => connection.interrupt(), interruptEveryMs)
  }
  signal?.addEventListener('abort', interrupt, { once: true })
  const { text, values, types } = statement(query)
  try {
    const reader = await connection.runAndReadAll(text, values, types)
    signal?.throwIfAborted()
    return reader.getRowObjectsJS()
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', interrupt)
    clearInterval(repeat)
  }
}
