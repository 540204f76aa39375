import { numberPattern } from '../../common/number-pattern.ts'
import { type Sql, sql } from '../../common/sql.ts'

/** Text as a number; null for other text. */
export function numberIn(text: Sql): Sql {
  // CASE would contain the text twice, and parse the JSON of an attribute twice.
  return sql`TRY_CAST(regexp_extract(${text}, ${numberPattern}) AS DOUBLE)`
}
