import { sql } from '../../common/sql.ts'
import { searchedText } from '../sql/searched-text.ts'
import type { Layout } from './layout.ts'
import type { TableUpdate } from './table-update.ts'

const index = sql`${searchedText} TYPE ngrambf_v1(4, 8192, 1, 0) GRANULARITY 1`

/**
 * The definition of the search index, for the statement that creates the event table. The index is a Bloom filter of
 * all sequences of four characters, and uses four bytes per event.
 */
export const searchIndexDefinition = sql`INDEX searched_text_filter ${index}`

/** Adds the index to the event table. Events that are already stored are included when ClickHouse merges them. */
export function addSearchIndex({ on, storedEvents }: Pick<Layout, 'on' | 'storedEvents'>): TableUpdate {
  const add = sql`ADD INDEX IF NOT EXISTS searched_text_filter ${index}`
  return { changes: [sql`ALTER TABLE ${storedEvents} ${on} ${add}`] }
}
