import { type Sql, sql } from '../../common/sql.ts'
import { attributeTerms } from '../sql/attribute-terms.ts'
import { addColumns } from './add-columns.ts'
import type { Layout } from './layout.ts'

/** The definitions of the terms and their index, for the statement that creates the event table. */
export const termsColumnDefinition = sql`attribute_terms Array(String) MATERIALIZED ${attributeTerms} CODEC(ZSTD(3))`
const index = sql`attribute_terms_index attribute_terms TYPE text(tokenizer = 'array')`
export const termsIndexDefinition = sql`INDEX ${index}`

/** The statements that add the terms and their index to the event table, and fill them from the stored events. */
export function addTerms(layout: Layout): Sql[] {
  const { on, storedEvents } = layout
  return [
    ...addColumns(layout, [termsColumnDefinition], sql`attributes`),
    sql`ALTER TABLE ${storedEvents} ${on} ADD INDEX IF NOT EXISTS ${index}`,
    sql`ALTER TABLE ${storedEvents} ${on} MATERIALIZE COLUMN attribute_terms, MATERIALIZE INDEX attribute_terms_index`,
  ]
}
