import { LRUCache } from 'lru-cache'
import type { SourceMapStore } from '../store/source-map-store.ts'
import type { MappedFile } from './map-frame.ts'
import { openPackedMap, type PackedMap } from './packed-map.ts'

/** Opens a stored map. Returns `null` if the map can no longer be read. */
export type OpenMap = (id: string) => Promise<MappedFile | null>

const mapCacheBytes = 64e6
const textCacheBytes = 16e6

/**
 * Caches the most recently used maps and source texts, which never change. Does not cache failed reads, because a later read
 * may succeed.
 * @param onReadError called if the store fails to read a map
 */
export function createMapCache(store: Pick<SourceMapStore, 'read'>, onReadError: () => void): OpenMap {
  const read = (id: string, start: number, length: number) =>
    store.read(id, start, length).catch(() => {
      onReadError()
      return null
    })
  // The caches do not store `undefined`.
  const maps = new LRUCache<string, PackedMap>({
    maxSize: mapCacheBytes,
    // A map that is larger than the cache is cached too, because each frame of a stack needs it.
    sizeCalculation: ({ sizeBytes }) => Math.min(sizeBytes, mapCacheBytes),
    fetchMethod: async id => (await openPackedMap((start, length) => read(id, start, length))) ?? undefined,
    ignoreFetchAbort: true,
  })
  const texts = new LRUCache<string, string, () => Promise<string | null>>({
    maxSize: textCacheBytes,
    sizeCalculation: text => text.length + 1,
    fetchMethod: async (_key, _stale, { context: load }) => (await load()) ?? undefined,
    ignoreFetchAbort: true,
  })

  return async id => {
    const packed = await maps.fetch(id)
    if (packed === undefined) return null
    return {
      map: packed.map,
      async text(source) {
        return (await texts.fetch(`${id} ${source}`, { context: () => packed.text(source) })) ?? null
      },
    }
  }
}
