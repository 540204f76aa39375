import { readdir } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { acceptedMs } from '../common/time.ts'
import { StoreUnavailableError } from '../store.ts'
import { isUnfinished, throwIfLogWithoutFile } from './engine/attach.ts'
import { DamagedFileError } from './engine/damaged-file.ts'
import { kibibytes, literal } from './engine/engine.ts'
import { defaultMemoryBytes } from './engine/memory-limit.ts'
import type { Migrations } from './engine/migrate.ts'
import { readTables } from './engine/read-segments.ts'
import { segmentLayout } from './engine/segment-layout.ts'
import { segmentFiles } from './engine/segments.ts'
import { isDamage, unavailable } from './engine/unavailable.ts'
import { throwIfRestoring } from './restoring.ts'
import { workspaceFile } from './workspace/workspace.ts'
import { workspaceLayout } from './workspace/workspace-layout.ts'

export type StoreInspection = {
  events: number
  /** When the newest event was accepted; `null` if there is none. */
  newestAcceptedMs: number | null
  webhooks: { name: string; url: string }[]
  /** The settings that users changed. */
  settings: { name: string; value: string }[]
}

/**
 * Reads all files of a store that no process has open, without changing them.
 * @throws StoreUnavailableError if a file is damaged, in use, or from a newer version, or if a restore has not finished
 */
export async function inspectStore(folder: string): Promise<StoreInspection> {
  await throwIfRestoring(folder)
  const hasWorkspace = (await readdir(folder)).includes(workspaceFile)
  const memoryBytes = defaultMemoryBytes(totalmem(), process.constrainedMemory())
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: kibibytes(memoryBytes) })
  const connection = await instance.connect()
  const inspection: StoreInspection = { events: 0, newestAcceptedMs: null, webhooks: [], settings: [] }
  try {
    const inspect = async (file: string, inspectFile: typeof inspectSegment) => {
      const path = join(folder, file)
      await inspectFile(connection, path, inspection).catch(error => {
        // Errors about damaged blocks do not name the file.
        throw isDamage(error) ? new DamagedFileError(path, error) : error
      })
    }
    // Attach the workspace first and do not detach it, because its lock prevents other processes from opening the store.
    if (hasWorkspace) await inspect(workspaceFile, inspectWorkspace)
    for (const file of await segmentFiles(folder)) await inspect(file, inspectSegment)
    return inspection
  } catch (error) {
    throw unavailable(error, folder)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/**
 * Attaches a file. Returns `false` if the file has no layout, because a process was killed while creating it. The next
 * start creates the file again.
 */
async function attach(
  connection: DuckDBConnection,
  path: string,
  name: string,
  { length: supported }: Migrations,
): Promise<boolean> {
  await throwIfLogWithoutFile(path)
  try {
    await connection.run(`ATTACH ${literal(path)} AS ${name} (READ_ONLY)`)
  } catch (error) {
    if (await isUnfinished(path, error)) return false
    throw error
  }
  const layouts = await rows(
    connection,
    `SELECT table_name FROM duckdb_tables() WHERE database_name = '${name}' AND table_name = 'layout'`,
  )
  if (layouts.length === 0) return false
  const [row] = await rows(connection, `SELECT max(version) FROM ${name}.layout`)
  const version = Number(row?.[0] ?? 0)
  if (version > supported)
    throw new StoreUnavailableError(
      `The store was written by a newer version of Sixpane (the layout version is ${version}; this version supports up to ${supported}): start that version`,
    )
  return true
}

async function inspectWorkspace(
  connection: DuckDBConnection,
  path: string,
  inspection: StoreInspection,
): Promise<void> {
  if (!(await attach(connection, path, 'workspace', workspaceLayout))) return
  await readTables(connection, 'workspace')
  inspection.webhooks = await webhooksIn(connection)
  inspection.settings = await settingsIn(connection)
}

async function inspectSegment(
  connection: DuckDBConnection,
  path: string,
  inspection: StoreInspection,
): Promise<void> {
  if (await attach(connection, path, 'segment', segmentLayout)) {
    await readTables(connection, 'segment')
    await addEvents(connection, inspection)
  }
  await connection.run('DETACH DATABASE IF EXISTS segment')
}

async function addEvents(connection: DuckDBConnection, inspection: StoreInspection): Promise<void> {
  const [row] = await rows(connection, 'SELECT count(*), max(id) FROM segment.event')
  inspection.events += Number(row?.[0] ?? 0)
  if (row?.[1] == null) return
  inspection.newestAcceptedMs = Math.max(inspection.newestAcceptedMs ?? 0, acceptedMs(Number(row[1])))
}

async function webhooksIn(connection: DuckDBConnection): Promise<StoreInspection['webhooks']> {
  const found = await rows(connection, 'SELECT name, url FROM workspace.webhook ORDER BY name')
  return found.map(([name, url]) => ({ name: String(name), url: String(url) }))
}

async function settingsIn(connection: DuckDBConnection): Promise<StoreInspection['settings']> {
  const found = await rows(connection, 'SELECT name, value FROM workspace.setting')
  return found.map(([name, value]) => ({ name: String(name), value: String(value) }))
}

async function rows(connection: DuckDBConnection, query: string): Promise<unknown[][]> {
  return (await connection.runAndReadAll(query)).getRows()
}
