import type { DuckDBConnection } from '@duckdb/node-api'
import { text } from '../../common/rows.ts'
import { DamagedFileError } from './damaged-file.ts'
import { isDamagedBlock } from './engine-errors.ts'
import type { Segment } from './segments.ts'

/**
 * Reads every block of the segments.
 * @throws DamagedFileError for the first segment with a damaged block
 */
export async function readSegments(
  connection: DuckDBConnection,
  segments: readonly Segment[],
): Promise<void> {
  for (const { name, path } of segments) {
    try {
      await readTables(connection, name)
    } catch (error) {
      throw isDamagedBlock(error) ? new DamagedFileError(path, error) : error
    }
  }
}

/** Reads every block of an attached file. Hashes each row, so the engine cannot skip columns. */
export async function readTables(connection: DuckDBConnection, name: string): Promise<void> {
  const tables = await connection.runAndReadAll(
    'SELECT table_name FROM duckdb_tables() WHERE database_name = $1',
    [name],
  )
  for (const [table] of tables.getRows()) {
    await connection.run(`SELECT bit_xor(hash(row)) FROM ${name}.${text(table)} row`)
  }
}
