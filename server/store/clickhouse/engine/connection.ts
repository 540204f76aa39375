import { text as streamText } from 'node:stream/consumers'
import { ClickHouseError, type ClickHouseSettings } from '@clickhouse/client'
import type { Row } from '../../common/rows.ts'
import type { Sql } from '../../common/sql.ts'
import { readsProjection } from '../sql/expressions.ts'
import { statement } from '../sql/statement.ts'
import { afterCatchUp } from './catch-up.ts'
import { type Columns, insertRows } from './insert.ts'
import type { Layout } from './layout.ts'
import { explainLimit, queryLimits } from './query-limits.ts'
import { openServer, type Server } from './server.ts'
import type { ServerAddress } from './server-address.ts'
import { explained } from './unavailable.ts'

/** Sends statements to the server. All methods reject with a `StoreUnavailableError` if the server cannot be reached. */
export type Connection = {
  /**
   * @param signal aborts the query. If it is a time limit, the promise rejects with a `StoreUnavailableError`
   * @throws QueryLimitError if the query exceeds a limit
   */
  select(query: Sql, signal?: AbortSignal): Promise<Row[]>
  /** Runs an idempotent DDL statement, such as `CREATE TABLE IF NOT EXISTS`. */
  execute(command: Sql): Promise<void>
  /**
   * Changes stored rows. Resolves when all servers have made the change, or after 45 seconds at the latest. Servers complete
   * a change even if the client stops waiting.
   * @returns whether all servers have made the change
   */
  change(command: Sql): Promise<boolean>
  /** Returns the text of the result, for statements whose format cannot be chosen. */
  readText(command: Sql, signal?: AbortSignal): Promise<string>
  /**
   * Inserts rows atomically.
   * @param token identifies the insert. If the outcome is unknown, the insert is repeated once, and the server ignores the
   * repetition if the rows are already stored
   */
  insert(table: string, columns: Columns, rows: readonly unknown[][], token?: string): Promise<void>
  close(): Promise<void>
  layout: Layout
}

/**
 * Limits how long a refresh waits for a server that no longer responds, because other work waits for the refresh. Longer
 * than the retries in `afterCatchUp`.
 */
export const maxRefreshMs = 15_000
/** Shorter than the client's request timeout. */
const maxChangeMs = 45_000
/** The server's error codes for a change that is completed later, because some servers are slow or cannot be reached. */
const completedLater: readonly string[] = ['159', '341']

export function connect(address: ServerAddress): Connection {
  const server = openServer(address)
  const { client, layout } = server
  const select: Connection['select'] = (query, signal) => selectRows(server, query, signal)
  return {
    select,
    execute: command => execute(server, command),
    change: command => change(server, command),
    readText: (command, signal) => readText(server, command, signal),
    insert: (table, columns, rows, token) => insertRows(server, { table, columns, rows, token }, select),
    close: () => client.close(),
    layout,
  }
}

async function selectRows({ client, layout, url }: Server, query: Sql, signal?: AbortSignal): Promise<Row[]> {
  const { text, params } = statement(query)
  const selectOnce = async () => {
    const result = await client.query({
      query: text,
      query_params: params,
      format: 'JSONEachRow',
      ...(signal !== undefined && { abort_signal: signal }),
      clickhouse_settings: {
        ...queryLimits,
        ...layout.querySettings,
        // ClickHouse cancels only read-only queries.
        readonly: '2',
        cancel_http_readonly_queries_on_client_close: 1,
        // Otherwise, ClickHouse considers every projection for each query on events.
        optimize_use_projections: readsProjection(text) ? 1 : 0,
        // Otherwise, ClickHouse checks one granule after another while it reads the events in the order of the log.
        use_skip_indexes_on_data_read: 0,
        // Otherwise, part of the result could arrive before an error.
        wait_end_of_query: 1,
        // All stored integers are safe integers.
        output_format_json_quote_64bit_integers: 0,
      },
    })
    return result.json<Row>()
  }
  const selected = afterCatchUp(selectOnce, signal).catch(error => {
    // The reason shows whether a time limit has expired or the caller is no longer waiting.
    throw signal?.aborted ? signal.reason : explainLimit(error)
  })
  return explained(selected, url)
}

async function execute({ client, layout, url }: Server, command: Sql): Promise<void> {
  const { text, params } = statement(command)
  const settings: ClickHouseSettings = { ...queryLimits, ...layout.changeSettings }
  const executeOnce = () =>
    client.command({ query: text, query_params: params, clickhouse_settings: settings })
  await explained(afterCatchUp(executeOnce), url)
}

async function change({ client, layout, url }: Server, command: Sql): Promise<boolean> {
  const { text, params } = statement(command)
  const signal = AbortSignal.timeout(maxChangeMs)
  const settings: ClickHouseSettings = {
    ...queryLimits,
    ...layout.changeSettings,
    mutations_sync: '2',
    // By default, ClickHouse refuses to drop more than 50 GB.
    max_partition_size_to_drop: '0',
  }
  const changing = client.command({
    query: text,
    query_params: params,
    clickhouse_settings: settings,
    abort_signal: signal,
  })
  const isFinished = changing.then(
    () => true,
    error => {
      const isLater = error instanceof ClickHouseError && completedLater.includes(error.code)
      if (!isLater && !signal.aborted) throw error
      return false
    },
  )
  return explained(isFinished, url)
}

async function readText({ client, url }: Server, command: Sql, signal?: AbortSignal): Promise<string> {
  const { text, params } = statement(command)
  const abort = signal === undefined ? {} : { abort_signal: signal }
  const read = async () => {
    const { stream } = await client.exec({ query: text, query_params: params, ...abort })
    return streamText(stream)
  }
  return explained(read(), url)
}
