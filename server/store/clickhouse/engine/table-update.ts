import type { Sql } from '../../common/sql.ts'

/** Statements that change the event table. */
export type TableUpdate = {
  /** Add or drop columns, indexes and projections, which is fast. */
  changes: Sql[]
  /** Start to fill them from the stored events. ClickHouse continues in the background. */
  fills?: Sql[]
}
