import { rm } from 'node:fs/promises'
import type { Mutex } from '../../common/mutex.ts'
import { StoreUnavailableError } from '../../store.ts'
import { createAppender } from '../events/append.ts'
import { createFailureIndex } from '../failures/failure-index.ts'
import { createSearchFilters } from '../filters/search-filters.ts'
import { openWorkspace, type Workspace } from '../workspace/workspace.ts'
import { isMissing } from './attach.ts'
import { spillFolder, startEngine } from './engine.ts'
import { createEventBlocks } from './event-blocks.ts'
import { readSegments } from './read-segments.ts'
import { createRecentEvents } from './recent-events.ts'
import type { Recovery } from './recovery.ts'
import { createRequestSummaries } from './request-summaries.ts'
import { createResultCache, rowBytes } from './result-cache.ts'
import { readSamples, type Samples, sampleBytes } from './samples.ts'
import { countEvents, openSegments, type Segment } from './segments.ts'
import { createServiceTimes } from './service-times.ts'
import { createSummaries } from './summaries.ts'

/**
 * The number of simultaneous queries: two slow ones and a quick one. If there are many events, each query uses all
 * cores, so more queries would only compete for them. Each query also occupies one of the four threads in Node's pool,
 * which file reads and compression also need.
 */
const readConnectionCount = 3

/** Enough for the results of several hundred pages. */
const queryCacheBytes = 10_000_000
/** Enough for two months of Sixpane's own metrics. */
const sampleCacheBytes = 20_000_000

/** An engine to which all files of a store are attached. */
export type OpenFiles = Awaited<ReturnType<typeof openFiles>>

/** The files that are currently open, which `recovery` may replace, and the lock that every writer takes. */
export type FileAccess = {
  files: () => OpenFiles
  recovery: Pick<Recovery, 'retry'>
  withLock: Mutex
}

/**
 * @param options.verifies whether to read all segments
 * @throws DamagedFileError for a damaged segment; the other segments can be opened after it is moved aside
 */
export async function openFiles(
  folder: string,
  { firstId, verifies, memoryBytes }: { firstId: number; verifies: boolean; memoryBytes: number | null },
) {
  const engine = await startEngine(folder, memoryBytes)
  try {
    // Open the workspace before changing anything, because its lock prevents other processes from opening the store.
    const workspace = await openWorkspace(engine, folder)
    // A killed process can leave this folder behind.
    await rm(spillFolder(folder), { recursive: true, force: true })
    const writer = await engine.connect()
    const readConnections = await Promise.all(
      Array.from({ length: readConnectionCount }, () => engine.connect()),
    )
    const segments = await openSegments(writer, folder, firstId)
    await engine.setThreadsFor(countEvents(segments.all()))
    if (verifies) await readSegments(writer, segments.all())
    // Leaves the damaged segment's ids unused, so that the segment can be moved back once it is repaired.
    if (firstId > 0) await segments.rotate(firstId)
    const { runQuery, readResult } = engine.createPool(readConnections)
    const recentEvents = createRecentEvents(segments.active().lastId)
    const summaries = await createSummaries(runQuery)
    return {
      engine,
      writer,
      write: createAppender(),
      readResult,
      runQuery,
      recentEvents,
      summaries,
      serviceTimes: createServiceTimes({
        runQuery,
        summary: () => summaries.read('service_summary', segments.all()),
        segments: segments.all,
        recentEvents,
      }),
      requestSummaries: createRequestSummaries(readResult),
      eventBlocks: createEventBlocks(readResult, recentEvents),
      failureIndex: createFailureIndex(runQuery),
      queryCache: createResultCache({
        run: runQuery,
        bytesOf: rowBytes,
        maxBytes: queryCacheBytes,
        segments: segments.all,
        recentEvents,
      }),
      sampleCache: createResultCache<{ samples: Samples | null }>({
        run: async query => ({ samples: await readSamples(readResult, query) }),
        bytesOf: ({ samples }) => sampleBytes(samples),
        maxBytes: sampleCacheBytes,
        segments: segments.all,
        recentEvents,
      }),
      searchFilters: createSearchFilters(readResult),
      // A probe must not queue behind the queries of busy pages.
      probe: engine.createPool([await engine.connect()]).runQuery,
      segments,
      workspace,
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** The segments, and the workspace. */
export function filesOf({ segments, workspace }: OpenFiles): (Segment | Workspace)[] {
  return [...segments.all(), workspace]
}

/** @throws StoreUnavailableError if a file was deleted, moved or replaced since it was opened */
export async function throwIfMissing(files: readonly Pick<Segment, 'path' | 'identity'>[]): Promise<void> {
  const missing = await Promise.all(files.map(isMissing))
  const path = files.find((_, index) => missing[index])?.path
  if (path === undefined) return
  throw new StoreUnavailableError(
    `${path} was deleted, moved or replaced while Sixpane was running: put it back, or restart Sixpane to continue without it`,
  )
}
