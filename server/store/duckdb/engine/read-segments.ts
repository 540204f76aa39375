import type { DuckDBConnection } from '@duckdb/node-api'
import { DamagedFileError } from './damaged-file.ts'
import { isDamagedBlock } from './engine-errors.ts'
import type { Segment } from './segments.ts'

/**
 * Reads every block of the segments. Hashes each row, so the engine cannot skip columns.
 * @throws DamagedFileError for the first segment with a damaged block
 */
export async function readSegments(
  connection: DuckDBConnection,
  segments: readonly Segment[],
): Promise<void> {
  for (const { name, path } of segments) {
    try {
      for (const table of ['event', 'request', 'search_filter']) {
        await connection.run(`SELECT bit_xor(hash(row)) FROM ${name}.${table} row`)
      }
    } catch (error) {
      throw isDamagedBlock(error) ? new DamagedFileError(path, error) : error
    }
  }
}
