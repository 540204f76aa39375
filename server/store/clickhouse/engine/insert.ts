import type { ClickHouseSettings } from '@clickhouse/client'
import { StoreUnavailableError } from '../../store.ts'
import { afterCatchUp } from './catch-up.ts'
import type { Select } from './layout.ts'
import type { Server } from './server.ts'
import { explained } from './unavailable.ts'

/** The names of the columns in the rows of an insert. */
export type Columns = [string, ...string[]]

/** See `Connection.insert`. */
export type Insert = {
  table: string
  columns: Columns
  rows: readonly unknown[][]
  token: string | undefined
}

/** The server and the client abort an insert, including its retry, after this time. */
export const maxInsertMs = 20_000

/** @throws StoreUnavailableError if the rows are not stored, or the outcome is unknown */
export async function insertRows(server: Server, insert: Insert, select: Select): Promise<void> {
  const { layout, url } = server
  const { table, token } = insert
  const deadline = AbortSignal.timeout(maxInsertMs)
  const deadlineMs = performance.now() + maxInsertMs
  const layoutSettings = await layout.insertSettings(table, token, select)
  const send = () => sendRows(server, insert, layoutSettings, deadline, deadlineMs)
  const insertOnce = () =>
    explained(afterCatchUp(send, deadline), url).catch(error => {
      if (!deadline.aborted) throw error
      const problem = `ClickHouse did not store the rows within ${maxInsertMs / 1000} seconds`
      throw new StoreUnavailableError(problem, { cause: error })
    })
  try {
    await insertOnce()
  } catch (error) {
    if (token === undefined || deadline.aborted || !(error instanceof StoreUnavailableError)) throw error
    // If the rows are already stored, ClickHouse ignores the repetition.
    await insertOnce()
  }
}

async function sendRows(
  { client }: Server,
  { table, columns, rows, token }: Insert,
  layoutSettings: ClickHouseSettings,
  deadline: AbortSignal,
  deadlineMs: number,
): Promise<void> {
  await client.insert({
    table,
    columns,
    values: rows,
    format: 'JSONCompactEachRow',
    abort_signal: deadline,
    clickhouse_settings: {
      ...layoutSettings,
      max_execution_time: Math.max(1, Math.ceil((deadlineMs - performance.now()) / 1000)),
      // The promise must not resolve before the rows are stored.
      async_insert: 0,
      // Otherwise, a cluster would ignore rows that were deleted and are inserted again.
      insert_deduplicate: token === undefined ? 0 : 1,
      ...(token !== undefined && { insert_deduplication_token: token }),
    },
  })
}
