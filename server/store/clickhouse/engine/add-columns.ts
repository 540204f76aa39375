import { join, type Sql, sql } from '../../common/sql.ts'
import type { Layout } from './layout.ts'

/**
 * The statements that add columns to the event table, one after the other.
 * @param after the column that precedes them
 */
export function addColumns(
  { on, storedEvents, createEvent }: Layout,
  definitions: readonly Sql[],
  after: Sql,
): Sql[] {
  const tables = [storedEvents, ...(createEvent.length > 0 ? [sql`event`] : [])]
  // Each column is added directly after `after`, so the last one comes first.
  const added = definitions.toReversed().map(each => sql`ADD COLUMN IF NOT EXISTS ${each} AFTER ${after}`)
  return tables.map(table => sql`ALTER TABLE ${table} ${on} ${join(added, ', ')}`)
}
