import { number, text } from '../common/rows.ts'
import { sql } from '../common/sql.ts'
import type { SourceMapStore } from '../source-map-store.ts'
import { undosOf } from '../state/undos.ts'
import { putSourceMap, workspaceOf } from '../state/workspace.ts'
import type { WorkspaceStore } from '../workspace-store.ts'
import { cacheSharedTokens } from './cache-shared-tokens.ts'
import type { Engine } from './engine/engine.ts'
import { accessRecentUndos } from './recent-undos.ts'

/** Parts are small, because a part is read whole even if only a few bytes of it are needed. */
const partBytes = 256 * 1024

export function workspace(engine: Engine, nowMs: () => number): WorkspaceStore {
  const stored = workspaceOf(engine.access, engine.readCached)
  return {
    ...stored,
    sourceMaps: { ...stored.sourceMaps, ...sourceMapContents(engine) },
    tokens: cacheSharedTokens(engine, stored.tokens),
    undos: undosOf(accessRecentUndos(engine, nowMs), nowMs),
  }
}

function sourceMapContents({ access, select, insert }: Engine): Pick<SourceMapStore, 'put' | 'read'> {
  const countParts = async (id: string) => {
    const [row] = await select(sql`SELECT count() AS parts FROM source_map_part FINAL WHERE id = ${id}`)
    return number(row?.parts)
  }

  return {
    async put(map, content, limitBytes) {
      // Stores the content first, so that no stored source map lacks its content.
      const parts = Array.from({ length: Math.ceil(content.length / partBytes) }, (_, part) => {
        const bytes = content.subarray(part * partBytes, (part + 1) * partBytes)
        return [map.id, part, Buffer.from(bytes).toString('base64')]
      })
      const isStored = await access(({ sourceMaps }) => sourceMaps.has(map.id))
      // The content is missing if the cleanup deleted it while an earlier upload was storing the map again.
      const hasContent = isStored && (await countParts(map.id)) >= parts.length
      if (!hasContent) await insert('source_map_part', ['id', 'part', 'content_base64'], parts)
      // `createContentCleanup` deletes the contents of the deleted maps.
      return access(state => putSourceMap(state, map, content.length, limitBytes))
    },
    async read(id, start, length) {
      const sizeBytes = await access(({ sourceMaps }) => sourceMaps.get(id)?.sizeBytes)
      if (sizeBytes === undefined) return null
      const end = Math.min(start + length, sizeBytes)
      if (end <= start) return new Uint8Array()
      const [first, last] = [Math.floor(start / partBytes), Math.floor((end - 1) / partBytes)]
      const rows = await select(sql`
        SELECT part, base64Encode(content) AS content FROM source_map_part FINAL
        WHERE id = ${id} AND part BETWEEN ${first} AND ${last} ORDER BY part`)
      // If parts are missing, the source map has been deleted in the meantime.
      if (rows.length !== last - first + 1 || rows.some((row, index) => number(row.part) !== first + index))
        return null
      const bytes = Buffer.concat(rows.map(row => Buffer.from(text(row.content), 'base64')))
      return new Uint8Array(bytes.subarray(start - first * partBytes, end - first * partBytes))
    },
  }
}
