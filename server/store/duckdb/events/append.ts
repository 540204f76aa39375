import {
  BIGINT,
  DOUBLE,
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  UTINYINT,
  VARCHAR,
} from '@duckdb/node-api'
import type { LogEvent } from '../../../../shared/event.ts'
import { createTimeSlice } from '../../../time-slice.ts'
import { microsOf } from '../../common/time.ts'
import { inTransaction } from '../engine/transaction.ts'
import { storedSeverity } from '../sql/severity.ts'

type Column = readonly [type: DuckDBType, value: 'attributes' | ((event: LogEvent) => DuckDBValue)]
/** The events of a chunk, and their attributes as JSON. */
type Rows = { events: LogEvent[]; attributes: string[] }

/** All columns of the `event` table, in table order. */
const columns: readonly Column[] = [
  [BIGINT, event => BigInt(event.id)],
  [BIGINT, event => BigInt(microsOf(event.timeMs))],
  [UTINYINT, event => storedSeverity(event.severity)],
  [VARCHAR, event => event.service],
  [VARCHAR, event => event.release],
  [VARCHAR, event => event.source],
  [VARCHAR, event => event.body],
  [VARCHAR, event => event.requestId],
  [VARCHAR, event => event.traceId],
  [VARCHAR, event => event.spanId],
  [VARCHAR, event => event.method],
  [VARCHAR, event => event.route],
  [INTEGER, event => event.status],
  [DOUBLE, event => event.durationMs],
  [VARCHAR, event => event.exception?.type ?? null],
  [VARCHAR, event => event.exception?.message ?? null],
  [VARCHAR, event => event.exception?.stack ?? null],
  [VARCHAR, event => event.digest],
  [VARCHAR, event => event.fingerprint],
  [VARCHAR, 'attributes'],
]

/**
 * Limits for one engine call, which blocks the event loop. The engine accepts at most 2,048 rows. A call takes a
 * millisecond, plus 2 µs per row, so smaller chunks take longer in total.
 */
export const [maxChunkRows, maxChunkLength] = [2048, 512 * 1024]

export type Appender = (
  connection: DuckDBConnection,
  segment: string,
  events: readonly LogEvent[],
  requests: readonly { key: string; acceptedMs: number }[],
) => Promise<void>

/**
 * Divides events into chunks. A chunk ends when it contains `maxChunkRows` events, or when its text reaches
 * `maxChunkLength`.
 */
export function* chunksOf(events: readonly LogEvent[]): Generator<Rows> {
  let rows: Rows = { events: [], attributes: [] }
  let length = 0
  for (const event of events) {
    const attributes = JSON.stringify(event.attributes)
    rows.events.push(event)
    rows.attributes.push(attributes)
    length += attributes.length + event.body.length + (event.exception?.stack?.length ?? 0)
    if (rows.events.length < maxChunkRows && length < maxChunkLength) continue
    yield rows
    rows = { events: [], attributes: [] }
    length = 0
  }
  if (rows.events.length > 0) yield rows
}

/**
 * Creates a function that commits events to a segment atomically. Committed events are in the synced write-ahead log. The
 * function writes columns, because writing rows takes two engine calls per value. It reuses one chunk, because with a
 * new chunk per batch, memory would grow until the next garbage collection.
 */
export function createAppender(): Appender {
  const chunk = DuckDBDataChunk.create(columns.map(([type]) => type))
  return async (connection, segment, events, requests) => {
    await inTransaction(connection, async () => {
      await appendTo(connection, segment, 'event', async appender => {
        const slice = createTimeSlice()
        for (const rows of chunksOf(events)) {
          if (slice.isUsedUp()) await slice.yieldToOthers()
          chunk.reset()
          chunk.rowCount = rows.events.length
          for (const [index, [, value]] of columns.entries()) {
            chunk.setColumnValues(index, value === 'attributes' ? rows.attributes : rows.events.map(value))
            if (slice.isUsedUp()) await slice.yieldToOthers()
          }
          appender.appendDataChunk(chunk)
          appender.flushSync()
        }
      })
      if (requests.length > 0) await appendRequests(connection, segment, requests)
    })
  }
}

async function appendRequests(
  connection: DuckDBConnection,
  segment: string,
  requests: readonly { key: string; acceptedMs: number }[],
): Promise<void> {
  await appendTo(connection, segment, 'request', async appender => {
    for (const { key, acceptedMs } of requests) {
      appender.appendVarchar(key)
      appender.appendBigInt(BigInt(acceptedMs))
      appender.endRow()
    }
  })
}

/**
 * Appends rows to a table. If that fails, for example for lack of memory, discards the rows. Otherwise the engine would
 * write them, outside the transaction, when the appender is garbage-collected.
 */
async function appendTo(
  connection: DuckDBConnection,
  segment: string,
  table: string,
  append: (appender: DuckDBAppender) => Promise<void>,
): Promise<void> {
  const appender = await connection.createAppender(table, 'main', segment)
  try {
    await append(appender)
    appender.closeSync()
  } catch (error) {
    appender.clear()
    throw error
  }
}
