import { LRUCache } from 'lru-cache'
import { hourMs, minuteMs } from '../../shared/duration-units.ts'
import type { Logger } from '../logger.ts'
import type { StackFrame } from '../stacks/stack.ts'
import { createMutex } from '../store/common/mutex.ts'
import type { NewSourceMap, SourceMapHeader, SourceMapStore } from '../store/source-map-store.ts'
import type { BuildInfo } from './build-info.ts'
import { createMapCache } from './map-cache.ts'
import { createMapIndex, type MapIndex } from './map-index.ts'
import { type MappingResult, mapServiceFrame } from './map-service-frame.ts'
import { packUpload, type Upload } from './pack-upload.ts'
import { SourceMapError } from './source-map-error.ts'

/** Source maps uploaded for services. */
export type ServiceMaps = {
  /**
   * Stores a map. `isNew` is `false` if it is already stored.
   * @throws SourceMapError if the map is invalid or too large
   */
  add(upload: Upload): Promise<{ map: NewSourceMap; isNew: boolean }>
  map(frame: StackFrame, origin: BuildInfo): Promise<MappingResult>
  /** Maps frames for a user who may see only these services, as if no maps of other services were stored. */
  limitedTo(services: readonly string[]): Pick<ServiceMaps, 'map'>
  /** Checks quickly whether any file of the build may have a map. */
  covers(origin: BuildInfo): boolean
  /** Rereads the list of maps, which other replicas may have changed. Returns whether it has changed. */
  refresh(): Promise<boolean>
  /** Changes whenever the result of mapping a frame may change. */
  version(): number
}

const maxLimitedIndexes = 20
const maxReportedReleases = 100

/** @param options.limitBytes maximum total size of the stored maps; above it, the oldest are deleted */
export async function openServiceMaps(options: {
  store: SourceMapStore
  limitBytes: number
  logger: Pick<Logger, 'warn'>
  nowMs?: () => number
}): Promise<ServiceMaps> {
  const { store, limitBytes, logger, nowMs = Date.now } = options
  let headers = await store.list()
  let index = createMapIndex(headers)
  const limitedIndexes = new LRUCache<string, MapIndex>({ max: maxLimitedIndexes })
  let version = 0
  /** The time of a failed read. The version changes a minute later, because each change clears caches of all services. */
  let failedMs: number | null = null
  const openMap = createMapCache(store, () => {
    failedMs ??= nowMs()
  })
  const withLock = createMutex()
  let isReadingList = false
  const readList = async () => {
    isReadingList = true
    try {
      return await store.list()
    } finally {
      isReadingList = false
    }
  }
  const readHeaders = async () => {
    const stored = await readList()
    const uploadTimes = new Map(headers.map(({ id, uploadedMs }) => [id, uploadedMs]))
    if (
      stored.length === headers.length &&
      stored.every(({ id, uploadedMs }) => uploadTimes.get(id) === uploadedMs)
    )
      return false
    headers = stored
    index = createMapIndex(stored)
    limitedIndexes.clear()
    version += 1
    return true
  }
  const refresh = () => withLock(readHeaders)
  /** Adds a new map without reading the list, whose length would slow down each map of a large upload. */
  const append = (header: SourceMapHeader) => {
    headers.push(header)
    index.add(header)
    limitedIndexes.clear()
    version += 1
  }

  const limitedIndex = (services: readonly string[]): MapIndex => {
    const key = JSON.stringify(services)
    const cached = limitedIndexes.get(key)
    if (cached !== undefined) return cached
    const visible = headers.filter(({ service }) => service === null || services.includes(service))
    const created = createMapIndex(visible)
    limitedIndexes.set(key, created)
    return created
  }

  /** Each release is logged once per hour, because the upload of a build can delete hundreds of maps. */
  const reported = new LRUCache<string, true>({ max: maxReportedReleases, ttl: hourMs })
  const reportDeleted = (deleted: readonly SourceMapHeader[]) => {
    for (const { release, service } of deleted) {
      const key = JSON.stringify([release, service])
      if (reported.has(key)) continue
      reported.set(key, true)
      logger.warn(
        { release, service, limitBytes },
        'Deleted the oldest source maps to stay within SIXPANE_SOURCEMAPS_MB',
      )
    }
  }

  return {
    async add(upload) {
      const { id, debugId, content } = await packUpload(upload)
      if (content.length > limitBytes)
        throw new SourceMapError('It is larger than the limit for the total size of source maps')
      const { release, path, service } = upload
      const map = { id, release, path, service, debugId, uploadedMs: nowMs() }
      const { isNew, deleted } = await store.put(map, content, limitBytes)
      reportDeleted(deleted)
      const isNewest = map.uploadedMs > (headers.at(-1)?.uploadedMs ?? 0)
      // A list that is being read may lack the map.
      if (isNew && isNewest && deleted.length === 0 && !isReadingList)
        append({ ...map, sizeBytes: content.length, isApplied: false })
      else await refresh()
      // The store may have restored missing content.
      if (!isNew) version += 1
      return { map, isNew }
    },
    map: (frame, origin) => mapServiceFrame(frame, origin, index, openMap),
    limitedTo: services => ({
      map: (frame, origin) => mapServiceFrame(frame, origin, limitedIndex(services), openMap),
    }),
    covers: origin => index.covers(origin),
    refresh,
    version() {
      if (failedMs !== null && nowMs() - failedMs >= minuteMs) {
        failedMs = null
        version += 1
      }
      return version
    },
  }
}
