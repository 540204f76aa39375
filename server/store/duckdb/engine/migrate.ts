import type { DuckDBConnection } from '@duckdb/node-api'
import { StoreUnavailableError } from '../../store.ts'
import { inTransaction } from './transaction.ts'

/** One list of statements for each version of a file's layout. Append new lists; never edit existing ones. */
export type Migrations = readonly (readonly string[])[]

/**
 * Migrates an attached file to the newest layout, atomically. A file without a version, which a killed process can leave
 * behind, is treated as empty.
 * @throws StoreUnavailableError if a newer version of Sixpane wrote the file
 */
export async function migrate(
  connection: DuckDBConnection,
  segment: string,
  steps: Migrations,
): Promise<void> {
  await connection.run(`USE ${segment}`)
  try {
    await inTransaction(connection, async () => {
      await connection.run('CREATE TABLE IF NOT EXISTS layout (version INTEGER NOT NULL)')
      const rows = await connection.runAndReadAll('SELECT coalesce(max(version), 0) FROM layout')
      const version = Number(rows.getRows()[0]?.[0])
      if (version > steps.length) {
        throw new StoreUnavailableError(
          `The store was written by a newer version of Sixpane (the layout version is ${version}; this version supports up to ${steps.length}): start that version, or point SIXPANE_DATA at another folder`,
        )
      }
      for (const step of steps.slice(version)) for (const text of step) await connection.run(text)
      if (version < steps.length) {
        await connection.run('DELETE FROM layout')
        await connection.run('INSERT INTO layout VALUES ($1)', [steps.length])
      }
    })
  } finally {
    await connection.run('USE memory')
  }
}
