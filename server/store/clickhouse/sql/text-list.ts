import { type Sql, sql } from '../../common/sql.ts'

/** A constant array of text. It is a single parameter, because each parameter slows the statement down. */
export function textList(texts: Iterable<string>): Sql {
  return sql`JSONExtract(${JSON.stringify([...texts])}, 'Array(String)')`
}
