import { numberPattern } from '../../common/number-pattern.ts'
import { type Sql, sql } from '../../common/sql.ts'

/** Converts decimal text to a number, and other text to null. */
export function numberIn(text: Sql): Sql {
  // A CASE expression would contain the text twice, so the engine would parse the JSON of an attribute twice.
  return sql`TRY_CAST(regexp_extract(${text}, ${numberPattern}) AS DOUBLE)`
}
