import { raw, type Sql } from '../../common/sql.ts'

/** The name of a database. @throws TypeError unless `parseServerAddress` accepts it */
export function databaseName(text: string): Sql {
  if (!/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(text)) throw new TypeError('Not a database name')
  return raw(`\`${text}\``)
}
