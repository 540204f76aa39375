import { LRUCache } from 'lru-cache'
import type { SourceMapStore } from '../store/source-map-store.ts'
import type { MappedFile } from './map-frame.ts'
import { openPackedMap, type PackedMap } from './packed-map.ts'

/** Opens a stored map. Returns `null` if the map can no longer be read. */
export type OpenMap = (id: string) => Promise<MappedFile | null>

const mapCacheBytes = 64e6
const textCacheBytes = 16e6

/** Caches the most recently used maps and source texts. Maps never change. */
export function createMapCache(store: Pick<SourceMapStore, 'read'>): OpenMap {
  const maps = new LRUCache<string, { packed: PackedMap | null }>({
    maxSize: mapCacheBytes,
    // A map that is larger than the cache is cached too, because each frame of a stack needs it.
    sizeCalculation: ({ packed }) => Math.min(packed?.sizeBytes ?? 1, mapCacheBytes),
    fetchMethod: async id => ({
      packed: await openPackedMap((start, length) => store.read(id, start, length).catch(() => null)),
    }),
    ignoreFetchAbort: true,
  })
  const texts = new LRUCache<string, { text: string | null }, () => Promise<string | null>>({
    maxSize: textCacheBytes,
    sizeCalculation: ({ text }) => (text?.length ?? 0) + 1,
    fetchMethod: async (_key, _stale, { context: load }) => ({ text: await load() }),
    ignoreFetchAbort: true,
  })

  return async id => {
    const { packed } = await maps.forceFetch(id)
    if (packed === null) return null
    return {
      map: packed.map,
      async text(source) {
        const { text } = await texts.forceFetch(`${id} ${source}`, { context: () => packed.text(source) })
        return text
      },
    }
  }
}
