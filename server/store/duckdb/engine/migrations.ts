import type { DuckDBConnection } from '@duckdb/node-api'
import { StoreUnavailableError } from '../../store.ts'

/** The statements that lead from one version of a file's layout to the next. Never edited, only added to. */
export type Migrations = readonly (readonly string[])[]

/** Of a segment of events. */
export const migrations: Migrations = [
  [
    // The order of the columns is the order in which `append.ts` writes them.
    `CREATE TABLE event (
      id BIGINT NOT NULL,
      time_us BIGINT NOT NULL,
      severity UTINYINT NOT NULL,
      service VARCHAR NOT NULL,
      release VARCHAR,
      source VARCHAR NOT NULL,
      body VARCHAR NOT NULL,
      request_id VARCHAR,
      trace_id VARCHAR,
      span_id VARCHAR,
      method VARCHAR,
      route VARCHAR,
      status INTEGER,
      duration_ms DOUBLE,
      exception_type VARCHAR,
      exception_message VARCHAR,
      exception_stack VARCHAR,
      digest VARCHAR,
      fingerprint VARCHAR,
      attributes VARCHAR NOT NULL
    )`,
  ],
  // What came with events that must not be stored twice: see `requestKeys` of the interface.
  ['CREATE TABLE request (key VARCHAR NOT NULL, accepted_ms BIGINT NOT NULL)'],
]

/**
 * Brings an attached file to the newest layout, all or nothing. One without a version, which a kill
 * can leave right after its file was made, starts from nothing.
 * @throws StoreUnavailableError when a newer Sixpane wrote it
 */
export async function migrate(
  connection: DuckDBConnection,
  segment: string,
  steps: Migrations,
): Promise<void> {
  await connection.run(`USE ${segment}`)
  try {
    await connection.run('BEGIN')
    await connection.run('CREATE TABLE IF NOT EXISTS layout (version INTEGER NOT NULL)')
    const rows = await connection.runAndReadAll('SELECT coalesce(max(version), 0) FROM layout')
    const version = Number(rows.getRows()[0]?.[0])
    if (version > steps.length) {
      throw new StoreUnavailableError(
        `The store was written by a newer version of Sixpane (its layout is ${version}, this version knows ${steps.length}): start that version, or point SIXPANE_DATA at another folder`,
      )
    }
    for (const step of steps.slice(version)) for (const text of step) await connection.run(text)
    if (version < steps.length) {
      await connection.run('DELETE FROM layout')
      await connection.run('INSERT INTO layout VALUES ($1)', [steps.length])
    }
    await connection.run('COMMIT')
  } catch (error) {
    await connection.run('ROLLBACK')
    throw error
  } finally {
    await connection.run('USE memory')
  }
}
