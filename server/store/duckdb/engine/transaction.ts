import type { DuckDBConnection, DuckDBMaterializedResult } from '@duckdb/node-api'
import type { Sql } from '../../common/sql.ts'
import { statement } from '../sql/statement.ts'
import { rollback } from './rollback.ts'

/** Runs a statement on this connection. */
export function runStatement(connection: DuckDBConnection, command: Sql): Promise<DuckDBMaterializedResult> {
  const { text, values, types } = statement(command)
  return connection.run(text, values, types)
}

/** Commits the changes that `work` makes on this connection, or rolls them back if it fails. */
export async function inTransaction<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  await connection.run('BEGIN')
  try {
    const result = await work()
    await connection.run('COMMIT')
    return result
  } catch (error) {
    await rollback(connection)
    throw error
  }
}
