import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { acceptedMs } from '../common/time.ts'
import { StoreUnavailableError } from '../store.ts'
import { literal } from './engine/engine.ts'
import { segmentLayout } from './engine/segment-layout.ts'
import { unavailable } from './engine/unavailable.ts'
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
 * @throws StoreUnavailableError if a file is damaged, in use, or from a newer version
 */
export async function inspectStore(folder: string): Promise<StoreInspection> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.duckdb')).sort()
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const inspection: StoreInspection = { events: 0, newestAcceptedMs: null, webhooks: [], settings: [] }
  try {
    for (const name of names) {
      const isWorkspace = name === 'workspace.duckdb'
      await connection.run(`ATTACH ${literal(join(folder, name))} AS file (READ_ONLY)`)
      await checkLayout(connection, isWorkspace ? workspaceLayout.length : segmentLayout.length)
      if (isWorkspace) {
        inspection.webhooks = await webhooksIn(connection)
        inspection.settings = await settingsIn(connection)
      } else await addEvents(connection, inspection)
      await connection.run('DETACH file')
    }
    return inspection
  } catch (error) {
    throw unavailable(error, folder)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

async function checkLayout(connection: DuckDBConnection, supported: number): Promise<void> {
  const [row] = await rows(connection, 'SELECT max(version) FROM file.layout')
  const version = Number(row?.[0] ?? 0)
  if (version > supported)
    throw new StoreUnavailableError(
      `The store was written by a newer version of Sixpane (the layout version is ${version}; this version supports up to ${supported}): start that version`,
    )
}

async function addEvents(connection: DuckDBConnection, inspection: StoreInspection): Promise<void> {
  // Reads a column of every event, so that damaged blocks are found.
  const [row] = await rows(connection, 'SELECT count(*), max(id), sum(strlen(body)) FROM file.event')
  inspection.events += Number(row?.[0] ?? 0)
  if (row?.[1] == null) return
  inspection.newestAcceptedMs = Math.max(inspection.newestAcceptedMs ?? 0, acceptedMs(Number(row[1])))
}

async function webhooksIn(connection: DuckDBConnection): Promise<StoreInspection['webhooks']> {
  const found = await rows(connection, 'SELECT name, url FROM file.webhook ORDER BY name')
  return found.map(([name, url]) => ({ name: String(name), url: String(url) }))
}

async function settingsIn(connection: DuckDBConnection): Promise<StoreInspection['settings']> {
  const found = await rows(connection, 'SELECT name, value FROM file.setting')
  return found.map(([name, value]) => ({ name: String(name), value: String(value) }))
}

async function rows(connection: DuckDBConnection, query: string): Promise<unknown[][]> {
  return (await connection.runAndReadAll(query)).getRows()
}
