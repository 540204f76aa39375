import { type Sql, sql } from '../../common/sql.ts'
import { durationBand, durationBin } from '../sql/duration-band.ts'
import { addColumns } from './add-columns.ts'
import type { Layout } from './layout.ts'

/**
 * The columns that contain the bin of a request's duration, for the statement that creates the event table. If queries
 * contained these long expressions, ClickHouse would need much longer to plan them.
 */
export const durationColumnDefinitions: readonly Sql[] = [
  sql`duration_band Nullable(UInt8) MATERIALIZED ${durationBand} CODEC(ZSTD)`,
  sql`duration_bin UInt16 MATERIALIZED ${durationBin} CODEC(ZSTD)`,
]

/** The statements that add the columns to the event table, and fill them from the stored events. */
export function addDurationColumns(layout: Layout): Sql[] {
  const fill = sql`MATERIALIZE COLUMN duration_band, MATERIALIZE COLUMN duration_bin`
  return [
    ...addColumns(layout, durationColumnDefinitions, sql`duration_ms`),
    sql`ALTER TABLE ${layout.storedEvents} ${layout.on} ${fill}`,
  ]
}
