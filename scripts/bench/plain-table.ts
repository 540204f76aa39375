import {
  BIGINT,
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  VARCHAR,
} from '@duckdb/node-api'
import type { NewEvent } from '../../shared/event.ts'

type Column = readonly [name: string, type: DuckDBType, value: (event: NewEvent) => DuckDBValue]

/** The columns of a single table for all events, as an application without Sixpane would typically create it. */
const columns: readonly Column[] = [
  ['time_ms', BIGINT, event => BigInt(Math.floor(event.timeMs))],
  ['severity', VARCHAR, event => event.severity],
  ['service', VARCHAR, event => event.service],
  ['release', VARCHAR, event => event.release],
  ['source', VARCHAR, event => event.source],
  ['body', VARCHAR, event => event.body],
  ['request_id', VARCHAR, event => event.requestId],
  ['trace_id', VARCHAR, event => event.traceId],
  ['span_id', VARCHAR, event => event.spanId],
  ['method', VARCHAR, event => event.method],
  ['route', VARCHAR, event => event.route],
  ['status', INTEGER, event => event.status],
  ['duration_ms', DOUBLE, event => event.durationMs],
  ['exception_type', VARCHAR, event => event.exception?.type ?? null],
  ['exception_message', VARCHAR, event => event.exception?.message ?? null],
  ['exception_stack', VARCHAR, event => event.exception?.stack ?? null],
  ['digest', VARCHAR, event => event.digest],
  ['fingerprint', VARCHAR, event => event.fingerprint],
  ['attributes', VARCHAR, event => JSON.stringify(event.attributes)],
]

/** DuckDB's maximum number of rows per chunk. */
const maxChunkRows = 2048

export type Columns = { rows: number; values: DuckDBValue[][] }

export async function createPlainTable(connection: DuckDBConnection): Promise<void> {
  const definitions = columns.map(([name, type]) => `${name} ${type}`)
  await connection.run(`CREATE TABLE event (${definitions.join(', ')})`)
}

/** Converts events to the columns that DuckDB appends. */
export function toColumns(events: readonly NewEvent[]): Columns[] {
  return Array.from({ length: Math.ceil(events.length / maxChunkRows) }, (_, index) => {
    const part = events.slice(index * maxChunkRows, (index + 1) * maxChunkRows)
    return { rows: part.length, values: columns.map(([, , value]) => part.map(value)) }
  })
}

/** Appends the chunks and commits them. */
export async function appendColumns(connection: DuckDBConnection, chunks: readonly Columns[]): Promise<void> {
  const chunk = DuckDBDataChunk.create(columns.map(([, type]) => type))
  await connection.run('BEGIN')
  const appender = await connection.createAppender('event')
  for (const { rows, values } of chunks) {
    chunk.reset()
    chunk.rowCount = rows
    for (const [index, column] of values.entries()) chunk.setColumnValues(index, column)
    appender.appendDataChunk(chunk)
    appender.flushSync()
  }
  appender.closeSync()
  await connection.run('COMMIT')
}
