import { text as streamText } from 'node:stream/consumers'
import {
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client'
import type { Row } from '../../common/rows.ts'
import type { Sql } from '../../common/sql.ts'
import { StoreUnavailableError } from '../../store.ts'
import { readsProjection } from '../sql/expressions.ts'
import { statement } from '../sql/statement.ts'
import { afterCatchUp } from './catch-up.ts'
import { layoutOf } from './cluster.ts'
import type { Layout } from './layout.ts'
import { explainLimit, queryLimits } from './query-limits.ts'
import type { ServerAddress } from './server-address.ts'
import { unavailable } from './unavailable.ts'

/** Sends statements to the server. All methods reject with a `StoreUnavailableError` if the server cannot be reached. */
export type Connection = {
  /** @throws QueryLimitError if the query exceeds a limit */
  select(query: Sql, signal?: AbortSignal): Promise<Row[]>
  /** Runs a DDL statement, such as `CREATE TABLE`. */
  execute(command: Sql): Promise<void>
  /**
   * Changes stored rows. Resolves when all servers have made the change, or after 45 seconds. Servers complete a change even
   * if the client stops waiting.
   */
  change(command: Sql): Promise<void>
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

/** The names of the columns in the rows of an insert. */
export type Columns = [string, ...string[]]

/** The server and the client abort an insert, including its retry, after this time. */
export const maxInsertMs = 20_000

/** Shorter than the client's request timeout. */
const maxChangeMs = 45_000
/** The server's error codes for a change that is completed later, because some servers are slow or cannot be reached. */
const completedLater: readonly string[] = ['159', '341']

export function connect(address: ServerAddress): Connection {
  const { url, database, user, password } = address
  const layout = layoutOf(address)
  const client = createClient({
    url,
    database,
    username: user,
    password,
    request_timeout: 65_000,
    application: 'sixpane',
    // Otherwise, the client logs statements, which may contain secrets. Callers receive all errors.
    log: { level: ClickHouseLogLevel.OFF },
  })
  const explained = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw unavailable(error, url)
    }
  }
  const connection: Connection = {
    async select(query, signal) {
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
            // Otherwise, a part of the result could arrive before an error.
            wait_end_of_query: 1,
            // All stored integers are safe integers.
            output_format_json_quote_64bit_integers: 0,
          },
        })
        return result.json<Row>()
      }
      return explained(
        afterCatchUp(selectOnce, signal).catch(error => {
          throw explainLimit(error)
        }),
      )
    },
    async execute(command) {
      const { text, params } = statement(command)
      const settings: ClickHouseSettings = { ...queryLimits, ...layout.changeSettings }
      await explained(client.command({ query: text, query_params: params, clickhouse_settings: settings }))
    },
    async change(command) {
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
      const unlessLater = changing.catch(error => {
        const isLater = error instanceof ClickHouseError && completedLater.includes(error.code)
        if (!isLater && !signal.aborted) throw error
      })
      await explained(unlessLater)
    },
    async readText(command, signal) {
      const { text, params } = statement(command)
      const abort = signal === undefined ? {} : { abort_signal: signal }
      const { stream } = await explained(client.exec({ query: text, query_params: params, ...abort }))
      return streamText(stream)
    },
    async insert(table, columns, rows, token) {
      const deadline = AbortSignal.timeout(maxInsertMs)
      const deadlineMs = performance.now() + maxInsertMs
      const arranged = await layout.insertSettings(table, token, connection.select)
      const send = () =>
        client.insert({
          table,
          columns,
          values: rows,
          format: 'JSONCompactEachRow',
          abort_signal: deadline,
          clickhouse_settings: {
            ...arranged,
            max_execution_time: Math.max(1, Math.ceil((deadlineMs - performance.now()) / 1000)),
            // The promise must not resolve before the rows are stored.
            async_insert: 0,
            // Otherwise, a cluster would ignore rows that were deleted and are inserted again.
            insert_deduplicate: token === undefined ? 0 : 1,
            ...(token !== undefined && { insert_deduplication_token: token }),
          },
        })
      const insertOnce = () =>
        explained(afterCatchUp(send, deadline)).catch(error => {
          if (!deadline.aborted) throw error
          throw new StoreUnavailableError(
            `ClickHouse did not store rows within ${maxInsertMs / 1000} seconds`,
            {
              cause: error,
            },
          )
        })
      try {
        await insertOnce()
      } catch (error) {
        if (token === undefined || deadline.aborted || !(error instanceof StoreUnavailableError)) throw error
        // The rows may already be stored.
        await insertOnce()
      }
    },
    close: () => client.close(),
    layout,
  }
  return connection
}
