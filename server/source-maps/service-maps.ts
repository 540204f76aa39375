import { LRUCache } from 'lru-cache'
import type { PossiblePosition, Unmapped, UnmappedReason } from '../../shared/stack.ts'
import type { StackFrame } from '../stacks/stack.ts'
import type { NewSourceMap, SourceMapHeader, SourceMapStore } from '../store/source-map-store.ts'
import type { BuildInfo } from './build-info.ts'
import { chooseFrame } from './choose-frame.ts'
import { commonSuffixLength, pathParts } from './file-path.ts'
import { looksGenerated, mayBeGenerated } from './generated-file.ts'
import { type MappedFile, type MappedFrame, mapFrame } from './map-frame.ts'
import { createMapIndex, type MapIndex } from './map-index.ts'
import { packUpload, type Upload } from './pack-upload.ts'
import { openPackedMap, type PackedMap } from './packed-map.ts'
import { SourceMapError } from './source-map-error.ts'

/** A mapped frame, or the original frame with the reason in `unmapped`, which is `null` if the frame needs no map. */
export type MappingResult = { frame: MappedFrame; unmapped: Unmapped | null }

/** Source maps uploaded for services. */
export type ServiceMaps = {
  /**
   * Stores a map. `isNew` is `false` if it is already stored.
   * @throws SourceMapError if the map is invalid or too large
   */
  add(upload: Upload): Promise<{ map: NewSourceMap; isNew: boolean }>
  map(frame: StackFrame, origin: BuildInfo): Promise<MappingResult>
  /** Maps frames for a user who may see only these services: as if the maps of other services were not stored. */
  limitedTo(services: readonly string[]): Pick<ServiceMaps, 'map'>
  /** Checks quickly whether any file of the build may have a map. */
  covers(origin: BuildInfo): boolean
  /** Rereads the list of maps, which other replicas may have changed. Returns whether it has changed. */
  refresh(): Promise<boolean>
  /** Changes whenever the result of mapping a frame may change. */
  version(): number
}

const mapCacheBytes = 64e6
const textCacheBytes = 16e6
const maxLimitedIndexes = 20

/** @param options.limitBytes maximum total size of the stored maps; above it, the oldest are deleted */
export async function openServiceMaps(options: {
  store: SourceMapStore
  limitBytes: number
  nowMs?: () => number
}): Promise<ServiceMaps> {
  const { store, limitBytes, nowMs = Date.now } = options
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
  let headers = await store.list()
  let index = createMapIndex(headers)
  const limitedIndexes = new LRUCache<string, MapIndex>({ max: maxLimitedIndexes })
  let version = 0
  const refresh = async () => {
    const list = await store.list()
    const known = new Set(headers.map(({ id }) => id))
    if (list.length === headers.length && list.every(({ id }) => known.has(id))) return false
    headers = list
    index = createMapIndex(list)
    limitedIndexes.clear()
    version += 1
    return true
  }

  /** @returns `null` if the map can no longer be read */
  const open = async (id: string): Promise<MappedFile | null> => {
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

  const limitedIndex = (services: readonly string[]): MapIndex => {
    const key = JSON.stringify(services)
    const known = limitedIndexes.get(key)
    if (known !== undefined) return known
    const visible = headers.filter(({ service }) => service === null || services.includes(service))
    const created = createMapIndex(visible)
    limitedIndexes.set(key, created)
    return created
  }

  const map = async (frame: StackFrame, origin: BuildInfo, index: MapIndex): Promise<MappingResult> => {
    const unchanged = (unmapped: Unmapped | null): MappingResult => ({
      frame: { ...frame, content: null },
      unmapped,
    })
    const { service, release } = origin
    const unmappedBecause = (reason: UnmappedReason, positions: PossiblePosition[] = []) =>
      unchanged({ reason, service, release, candidates: [], positions })
    const { file, line, column } = frame
    if (line === null || !mayBeGenerated(file)) return unchanged(null)
    const lookup = index.find(file, origin)
    if ('unmapped' in lookup) {
      return unchanged(looksGenerated(file, column) ? lookup.unmapped : null)
    }
    const files = await Promise.all(
      lookup.headers.map(async header => ({ header, mapped: await open(header.id) })),
    )
    const readable = files.flatMap(({ header, mapped }) => (mapped === null ? [] : [{ header, mapped }]))
    if (readable.length === 0) return unmappedBecause('broken')
    if (readable.some(({ header, mapped }) => isSourceOf(file, header.path, mapped))) return unchanged(null)
    if (column === null) return unmappedBecause('no-column')
    const results = await Promise.all(
      readable.map(async ({ header, mapped }) => ({ header, place: await mapFrame(frame, mapped) })),
    )
    const places = results.flatMap(({ header, place }) => (place === null ? [] : [{ header, place }]))
    const areAllReadable = readable.length === files.length
    if (places.length === 0) return unmappedBecause(areAllReadable ? 'not-in-map' : 'broken')
    // A map that could not be read may be the correct one.
    const chosen =
      lookup.isComplete && areAllReadable
        ? chooseFrame(
            frame.functionName,
            places.map(({ place }) => place),
          )
        : null
    return chosen === null
      ? unmappedBecause('ambiguous', places.map(possiblePosition))
      : { frame: chosen, unmapped: null }
  }

  return {
    async add(upload) {
      const { id, debugId, content } = await packUpload(upload)
      if (content.length > limitBytes)
        throw new SourceMapError('It is larger than the limit for the total size of source maps')
      const { release, path, service } = upload
      const map = { id, release, path, service, debugId, uploadedMs: nowMs() }
      const isNew = await store.put(map, content, limitBytes)
      if (isNew) await refresh()
      return { map, isNew }
    },
    map: (frame, origin) => map(frame, origin, index),
    limitedTo: services => ({ map: (frame, origin) => map(frame, origin, limitedIndex(services)) }),
    covers: origin => index.covers(origin),
    refresh,
    version: () => version,
  }
}

function possiblePosition({
  header,
  place,
}: {
  header: SourceMapHeader
  place: MappedFrame
}): PossiblePosition {
  const { service, path, uploadedMs } = header
  return { file: place.file, line: place.line ?? 1, column: place.column ?? 1, service, path, uploadedMs }
}

/** Whether the runtime has already mapped the file to one of the map's sources (`src/cart.js`, not `dist/cart.js`). */
function isSourceOf(file: string, path: string, { map }: MappedFile): boolean {
  const parts = pathParts(file)
  const name = parts.at(-1) ?? ''
  const withPath = commonSuffixLength(parts, pathParts(path))
  return map.sources.some(
    source => source?.includes(name) && commonSuffixLength(parts, pathParts(source)) > withPath,
  )
}
