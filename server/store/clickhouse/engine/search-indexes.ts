import { type Sql, sql } from '../../common/sql.ts'
import { searchedText } from '../sql/searched-text.ts'
import type { Layout } from './layout.ts'

/**
 * The statements that add the index for searches: a Bloom filter of all sequences of four characters, which takes four bytes per
 * event. Events that are already stored are included when ClickHouse merges them.
 */
export function addSearchIndexes({ on, storedEvents }: Pick<Layout, 'on' | 'storedEvents'>): readonly Sql[] {
  return [
    sql`ALTER TABLE ${storedEvents} ${on} ADD INDEX IF NOT EXISTS searched_text_filter ${searchedText}
      TYPE ngrambf_v1(4, 8192, 1, 0) GRANULARITY 1`,
  ]
}
