import { type Sql, sql } from '../../common/sql.ts'

/** A subquery with one row per string. Passes all strings as one value, because there may be thousands. */
export function textList(texts: readonly string[]): Sql {
  return sql`(SELECT unnest(from_json(${JSON.stringify(texts)}, '["VARCHAR"]')))`
}

/** A subquery with one row per pair of strings, in the column `pair`. Passes all strings as one value, like `textList`. */
export function pairs(list: readonly (readonly [string, string])[]): Sql {
  return sql`(SELECT unnest(from_json(${JSON.stringify(list)}, '[["VARCHAR"]]')) AS pair)`
}
