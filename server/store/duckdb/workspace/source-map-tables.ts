import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '../../../../shared/error-code.ts'
import { createMutex } from '../../common/mutex.ts'
import { number, type Row, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { NewSourceMap, SourceMapHeader, SourceMapStore } from '../../source-map-store.ts'
import { unfinished } from '../engine/copy-files.ts'
import { textList } from '../sql/text-list.ts'
import { sourceMapFolder, type Workspace } from './workspace.ts'

/**
 * Stores source map contents as files beside the workspace, because the engine frees neither the disk space of deleted
 * values nor the memory used to write values (docs/decisions/0007-source-maps.md).
 */
export function createSourceMapStore({
  path,
  query,
  execute,
}: Pick<Workspace, 'path' | 'query' | 'execute'>): SourceMapStore {
  const folder = sourceMapFolder(dirname(path))
  const fileOf = (id: string) => join(folder, id)
  const withLock = createMutex()
  let hasRemovedLeftovers = false

  const list = async () => {
    const rows = await query(sql`SELECT * FROM workspace.source_map ORDER BY uploaded_ms, id`)
    return rows.map(readHeader)
  }

  /** Deletes files without a row, which a killed process can leave behind, and creates the folder if it is missing. */
  const removeLeftovers = async () => {
    await mkdir(folder, { recursive: true })
    if (hasRemovedLeftovers) return
    const ids = new Set((await list()).map(({ id }) => id))
    for (const file of await readdir(folder)) if (!ids.has(file)) await rm(fileOf(file))
    hasRemovedLeftovers = true
  }

  const insert = ({ id, release, path, debugId, service, uploadedMs }: NewSourceMap, sizeBytes: number) =>
    execute(sql`INSERT INTO workspace.source_map
      VALUES (${id}, ${release}, ${path}, ${debugId}, ${sizeBytes}, ${uploadedMs}, false, ${service})`)

  const deleteOldest = async (except: string, limitBytes: number) => {
    const [total] = await query(sql`SELECT sum(size_bytes)::BIGINT AS bytes FROM workspace.source_map`)
    let bytes = number(total?.bytes)
    const deleted: SourceMapHeader[] = []
    if (bytes <= limitBytes) return deleted
    for (const map of await list()) {
      if (bytes <= limitBytes) break
      if (map.id === except) continue
      await execute(sql`DELETE FROM workspace.source_map WHERE id = ${map.id}`)
      await rm(fileOf(map.id), { force: true })
      bytes -= map.sizeBytes
      deleted.push(map)
    }
    return deleted
  }

  return {
    list,
    put: (map, content, limitBytes) =>
      withLock(async () => {
        await removeLeftovers()
        const existing = await query(sql`SELECT id FROM workspace.source_map WHERE id = ${map.id}`)
        // A backup from an earlier build of Sixpane can contain a row without its file.
        if ((await readPart(fileOf(map.id), 0, 0)) === null)
          await writeFileAtomically(fileOf(map.id), content)
        if (existing.length > 0) {
          await execute(
            sql`UPDATE workspace.source_map SET uploaded_ms = ${map.uploadedMs} WHERE id = ${map.id}`,
          )
          return { isNew: false, deleted: [] }
        }
        await insert(map, content.length)
        return { isNew: true, deleted: await deleteOldest(map.id, limitBytes) }
      }),
    read: (id, start, length) => readPart(fileOf(id), start, length),
    async markApplied(ids) {
      if (ids.length === 0) return
      await execute(sql`UPDATE workspace.source_map SET is_applied = true WHERE id IN ${textList(ids)}`)
    },
  }
}

async function writeFileAtomically(path: string, content: Uint8Array): Promise<void> {
  const part = `${path}${unfinished}`
  try {
    await writeFile(part, content, { flush: true })
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

async function readPart(path: string, start: number, length: number): Promise<Uint8Array | null> {
  const file = await open(path).catch(error => {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  })
  if (file === null) return null
  try {
    const { size } = await file.stat()
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - start)))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
    return bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** @throws TypeError if the row lacks a column */
function readHeader(row: Row): SourceMapHeader {
  return {
    id: text(row.id),
    release: text(row.release),
    path: text(row.path),
    debugId: textOrNull(row.debug_id),
    service: textOrNull(row.service),
    sizeBytes: number(row.size_bytes),
    uploadedMs: number(row.uploaded_ms),
    isApplied: row.is_applied === true,
  }
}
