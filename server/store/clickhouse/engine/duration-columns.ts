import { type Sql, sql } from '../../common/sql.ts'
import { durationBand, durationBin } from '../sql/duration-band.ts'
import { addColumns } from './add-columns.ts'
import type { Layout } from './layout.ts'
import type { TableUpdate } from './table-update.ts'

/**
 * The columns that contain the bin of a request's duration, for the statement that creates the event table. If queries
 * contained these long expressions, ClickHouse would need much longer to plan them.
 */
export const durationColumnDefinitions: readonly Sql[] = [
  sql`duration_band Nullable(UInt8) MATERIALIZED ${durationBand} CODEC(ZSTD)`,
  sql`duration_bin UInt16 MATERIALIZED ${durationBin} CODEC(ZSTD)`,
]

/** Adds the columns to the event table. */
export function addDurationColumns(layout: Layout): TableUpdate {
  const fill = sql`MATERIALIZE COLUMN duration_band, MATERIALIZE COLUMN duration_bin`
  return {
    changes: addColumns(layout, durationColumnDefinitions, sql`duration_ms`),
    fills: [sql`ALTER TABLE ${layout.storedEvents} ${layout.on} ${fill}`],
  }
}
