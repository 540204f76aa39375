import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { PossiblePlace, Unmapped, UnmappedReason } from '../../shared/stack.ts'
import type { StackFrame } from '../stacks/stack.ts'
import type { NewSourceMap, SourceMapHeader, SourceMapStore } from '../store/source-map-store.ts'
import { choosePlace } from './choose-place.ts'
import { commonEnd, partsOf } from './file-path.ts'
import { looksGenerated, mayBeGenerated } from './generated-file.ts'
import { type MappedFrame, mapFrame } from './map-frame.ts'
import { createMapIndex } from './map-index.ts'
import { MapProblem } from './map-problem.ts'
import type { MappedFile } from './mapped-file.ts'
import type { Origin } from './origin.ts'
import { openPacked, type PackedMap, packMap } from './packed-map.ts'
import { readSourceMap } from './source-map.ts'

export type Upload = {
  release: string
  path: string
  debugId: string | null
  /** `null` where the upload names none: the map is then used for any service. */
  service: string | null
  json: Buffer
}

/** A frame in its source, or as it was with the reason why; `unmapped: null` for one that no map is missed for. */
export type MappedOrNot = { frame: MappedFrame; unmapped: Unmapped | null }

/** The source maps that were uploaded for services. */
export type ServiceMaps = {
  /**
   * Keeps a map; `isNew: false` for one that is kept already.
   * @throws MapProblem for what can't be used
   */
  add(upload: Upload): Promise<{ map: NewSourceMap; isNew: boolean }>
  map(frame: StackFrame, origin: Origin): Promise<MappedOrNot>
  /** Whether there may be a map for any file of it; costs next to nothing. */
  covers(origin: Origin): boolean
  /** Changes whenever a frame may be mapped in another way than before. */
  version(): number
}

const mapCacheBytes = 64e6
const textCacheBytes = 16e6

/** @param options.limitBytes of all maps as they are kept; the oldest are dropped above it */
export async function openServiceMaps(options: {
  store: SourceMapStore
  limitBytes: number
  nowMs?: () => number
}): Promise<ServiceMaps> {
  const { store, limitBytes, nowMs = Date.now } = options
  const maps = new LRUCache<string, { packed: PackedMap | null }>({
    maxSize: mapCacheBytes,
    // The newest map is cached whatever its size: a stack asks for it once per frame.
    sizeCalculation: ({ packed }) => Math.min(packed?.sizeBytes ?? 1, mapCacheBytes),
    fetchMethod: async id => ({
      packed: await openPacked((start, length) => store.read(id, start, length).catch(() => null)),
    }),
    ignoreFetchAbort: true,
  })
  const texts = new LRUCache<string, { text: string | null }, () => Promise<string | null>>({
    maxSize: textCacheBytes,
    sizeCalculation: ({ text }) => (text?.length ?? 0) + 1,
    fetchMethod: async (_key, _stale, { context: load }) => ({ text: await load() }),
    ignoreFetchAbort: true,
  })
  let index = createMapIndex(await store.list())
  let version = 0

  /** @returns `null` for one that can't be read any more */
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

  return {
    async add({ release, path, debugId, service, json }) {
      const read = await readSourceMap(json)
      const content = await packMap(read)
      if (content.length > limitBytes) throw new MapProblem('It is larger than all maps together may be')
      const id = idOf([release, path, debugId ?? '', json, ...(service === null ? [] : [service])])
      const map = { id, release, path, service, debugId: debugId ?? read.debugId, uploadedMs: nowMs() }
      const isNew = await store.put(map, content, limitBytes)
      if (isNew) {
        index = createMapIndex(await store.list())
        version += 1
      }
      return { map, isNew }
    },
    async map(frame, origin) {
      const as = (unmapped: Unmapped | null): MappedOrNot => ({
        frame: { ...frame, content: null },
        unmapped,
      })
      const { service, release } = origin
      const because = (reason: UnmappedReason, places: PossiblePlace[] = []) =>
        as({ reason, service, release, candidates: [], places })
      const { file, line, column } = frame
      if (line === null || !mayBeGenerated(file)) return as(null)
      const found = index.find(file, origin)
      if ('unmapped' in found) {
        return as(looksGenerated(file, column) ? found.unmapped : null)
      }
      const files = await Promise.all(
        found.headers.map(async header => ({ header, mapped: await open(header.id) })),
      )
      const readable = files.flatMap(({ header, mapped }) => (mapped === null ? [] : [{ header, mapped }]))
      if (readable.length === 0) return because('broken')
      if (readable.some(({ header, mapped }) => isItsSource(file, header.path, mapped))) return as(null)
      if (column === null) return because('no-column')
      const answers = await Promise.all(
        readable.map(async ({ header, mapped }) => ({ header, place: await mapFrame(frame, mapped) })),
      )
      const places = answers.flatMap(({ header, place }) => (place === null ? [] : [{ header, place }]))
      const areAllReadable = readable.length === files.length
      if (places.length === 0) return because(areAllReadable ? 'not-in-map' : 'broken')
      // A map that was not asked may be the right one.
      const chosen =
        found.isComplete && areAllReadable
          ? choosePlace(
              frame.functionName,
              places.map(({ place }) => place),
            )
          : null
      return chosen === null
        ? because('ambiguous', places.map(possiblePlace))
        : { frame: chosen, unmapped: null }
    },
    covers: origin => index.covers(origin),
    version: () => version,
  }
}

function possiblePlace({ header, place }: { header: SourceMapHeader; place: MappedFrame }): PossiblePlace {
  const { service, path, uploadedMs } = header
  return { file: place.file, line: place.line ?? 1, column: place.column ?? 1, service, path, uploadedMs }
}

/** `src/cart.js` is not what `dist/cart.js` was made into, but what it was made of: the runtime has mapped it. */
function isItsSource(file: string, path: string, { map }: MappedFile): boolean {
  const parts = partsOf(file)
  const name = parts.at(-1) ?? ''
  const ofPath = commonEnd(parts, partsOf(path))
  return map.sources.some(source => source?.includes(name) && commonEnd(parts, partsOf(source)) > ofPath)
}

function idOf(parts: readonly (string | Buffer)[]): string {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(`${part.length} `).update(part)
  return sum.digest('base64url').slice(0, 22)
}
