import type { DuckDBConnection } from '@duckdb/node-api'
import { type Sql, statement } from '../sql/sql.ts'

export type Row = Readonly<Record<string, unknown>>

/** Asks a question off the event loop; rejects with the signal's reason once it is aborted. */
export type Ask = (question: Sql, signal?: AbortSignal) => Promise<Row[]>

/** A connection forgets an interrupt that comes before its statement has begun, so it is said again. */
const interruptEveryMs = 5

/**
 * Gives what asks questions on a few connections, one question a connection at a time; further questions wait
 * their turn. A question that was aborted while it waited never starts.
 */
export function createAsk(connections: readonly DuckDBConnection[]): Ask {
  const free = [...connections]
  const waiting: ((connection: DuckDBConnection) => void)[] = []

  const turn = (signal: AbortSignal | undefined) =>
    new Promise<DuckDBConnection>((resolve, reject) => {
      const connection = free.pop()
      if (connection !== undefined) return resolve(connection)
      const take = (freed: DuckDBConnection) => {
        signal?.removeEventListener('abort', leave)
        resolve(freed)
      }
      const leave = () => {
        waiting.splice(waiting.indexOf(take), 1)
        reject(signal?.reason)
      }
      waiting.push(take)
      signal?.addEventListener('abort', leave, { once: true })
    })

  return async (question, signal) => {
    signal?.throwIfAborted()
    const connection = await turn(signal)
    try {
      return await run(connection, question, signal)
    } finally {
      const next = waiting.shift()
      if (next === undefined) free.push(connection)
      else next(connection)
    }
  }
}

async function run(
  connection: DuckDBConnection,
  question: Sql,
  signal: AbortSignal | undefined,
): Promise<Row[]> {
  signal?.throwIfAborted()
  let repeat: NodeJS.Timeout | undefined
  const interrupt = () => {
    connection.interrupt()
    repeat = setInterval(() => connection.interrupt(), interruptEveryMs)
  }
  signal?.addEventListener('abort', interrupt, { once: true })
  const { text, values, types } = statement(question)
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
