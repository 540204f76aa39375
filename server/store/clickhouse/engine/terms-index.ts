import { sql } from '../../common/sql.ts'
import { attributeTerms } from '../sql/attribute-terms.ts'
import { addColumns } from './add-columns.ts'
import type { Layout } from './layout.ts'
import type { TableUpdate } from './table-update.ts'

/** The definitions of the terms and their index, for the statement that creates the event table. */
export const termsColumnDefinition = sql`attribute_terms Array(String) MATERIALIZED ${attributeTerms} CODEC(ZSTD(3))`
const index = sql`attribute_terms_index attribute_terms TYPE text(tokenizer = 'array')`
export const termsIndexDefinition = sql`INDEX ${index}`

/** Adds the terms and their index to the event table. */
export function addTerms(layout: Layout): TableUpdate {
  const alter = sql`ALTER TABLE ${layout.storedEvents} ${layout.on}`
  return {
    changes: [
      ...addColumns(layout, [termsColumnDefinition], sql`attributes`),
      sql`${alter} ADD INDEX IF NOT EXISTS ${index}`,
    ],
    fills: [sql`${alter} MATERIALIZE COLUMN attribute_terms, MATERIALIZE INDEX attribute_terms_index`],
  }
}
