import { join, type Sql, sql } from '../../common/sql.ts'
import type { Layout } from './layout.ts'
import type { TableUpdate } from './table-update.ts'

/**
 * Eight granules share a filter, because the events of a request are close together. With so few filters, each can be large
 * enough that it almost never matches by accident.
 */
const filter = sql`TYPE bloom_filter(0.0005) GRANULARITY 8`
const indexes: readonly Sql[] = [
  sql`request_ids lowerUTF8(request_id) ${filter}`,
  sql`trace_ids lowerUTF8(trace_id) ${filter}`,
]

/** The definitions of the indexes of request and trace ids, for the statement that creates the event table. */
export const idIndexDefinitions: readonly Sql[] = indexes.map(index => sql`INDEX ${index}`)

/** Replaces the indexes of earlier versions. Until ClickHouse has filled the new ones, searches for ids read all events. */
export function replaceIdIndexes({ on, storedEvents }: Pick<Layout, 'on' | 'storedEvents'>): TableUpdate {
  const alter = sql`ALTER TABLE ${storedEvents} ${on}`
  const changes = [
    sql`DROP INDEX IF EXISTS request_id_filter`,
    sql`DROP INDEX IF EXISTS trace_id_filter`,
    ...indexes.map(index => sql`ADD INDEX IF NOT EXISTS ${index}`),
  ]
  return {
    changes: [sql`${alter} ${join(changes, ', ')}`],
    fills: [sql`${alter} MATERIALIZE INDEX request_ids, MATERIALIZE INDEX trace_ids`],
  }
}
