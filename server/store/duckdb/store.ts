import type { Logger } from '../../logger.ts'
import { failure, failureCounts, failures } from '../common/metrics/failures.ts'
import { requestSeries } from '../common/metrics/request-series.ts'
import { routeMetrics } from '../common/metrics/route-metrics.ts'
import { services } from '../common/metrics/services.ts'
import { createMutex } from '../common/mutex.ts'
import { readPosition, writePosition } from '../common/position.ts'
import { createQueryCounter } from '../common/query-counter.ts'
import { releaseStarts, releases } from '../common/releases.ts'
import { seenSources } from '../common/seen-sources.ts'
import { onlyReplica } from '../replicas.ts'
import type { EventQueries, Store } from '../store.ts'
import { type Database, openDatabase } from './engine/database.ts'
import { countEvents } from './engine/segments.ts'
import { createSummaryTask } from './engine/summary-task.ts'
import { attributeFacet } from './events/attribute-facet.ts'
import { attributeSeries } from './events/attribute-series.ts'
import { counts } from './events/counts.ts'
import { eventById, eventsSince } from './events/event.ts'
import { eventPage } from './events/event-page.ts'
import { eventReader } from './events/event-reader.ts'
import { facets } from './events/facets.ts'
import { histogram } from './events/histogram.ts'
import { createIdempotencyKeys } from './events/idempotency-keys.ts'
import { withPaths } from './events/request-paths.ts'
import { countExpired } from './events/retain.ts'
import { routeRequests } from './events/route-requests.ts'
import { sessions } from './events/sessions.ts'
import { fingerprintsAfterRegroup, regroup, storedStacks } from './events/stacks.ts'
import { webVitals } from './events/vitals.ts'
import { createFailureDigests } from './failures/failure-digests.ts'
import { createFailureGrouping } from './failures/failure-grouping.ts'
import { failureReader } from './failures/failure-reader.ts'
import { createFailureStates } from './failures/failure-states.ts'
import { failureImpact, failureReleases, failureServices, failuresOfDigest } from './failures/failures.ts'
import { createManualGrouping } from './failures/manual-grouping.ts'
import { createFilterTask } from './filters/filter-task.ts'
import { rowShape, wholeEvent } from './sql/event-rows.ts'
import { limitSource } from './sql/source.ts'
import { acceptedHours, eventsInIds, pageEnds } from './transfer/read-events.ts'
import { createSharedState } from './transfer/shared-state.ts'
import { createAuditStore } from './workspace/audit-tables.ts'
import { createSavedSearches } from './workspace/saved-search-tables.ts'
import { createSessionStore } from './workspace/session-tables.ts'
import { createSettingStore } from './workspace/setting-tables.ts'
import { createSourceMapStore } from './workspace/source-map-tables.ts'
import { createTokenStore } from './workspace/token-tables.ts'
import { undosInMemory } from './workspace/undos-in-memory.ts'
import { createWebhookStore } from './workspace/webhook-tables.ts'

export type DuckDbStoreOptions = {
  folder: string
  /** The engine's memory limit; `null` means the default. */
  memoryBytes?: number | null
  logger?: Pick<Logger, 'error' | 'warn' | 'info'>
  nowMs?: () => number
  /** Whether to store search filters and summaries in segments, in the background. */
  preparesSegments?: boolean
  /** See `OpenOptions`. */
  movesDamaged?: boolean
}

export type DuckDbStore = Store & Pick<Database, 'backup'>

/**
 * Opens the store in a folder, or creates it if it does not exist.
 * @throws StoreUnavailableError if the store cannot be used; deletes the folder if this call created it
 */
export async function openDuckDbStore({
  folder,
  memoryBytes = null,
  logger,
  nowMs = Date.now,
  preparesSegments = true,
  movesDamaged = true,
}: DuckDbStoreOptions): Promise<DuckDbStore> {
  const database = await openDatabase(folder, { memoryBytes, movesDamaged, nowMs, logger })
  const { segments, workspace, append, writing, retain } = database
  const withGroupingLock = createMutex()
  const tasks = preparesSegments
    ? [createFilterTask(database, nowMs, logger), createSummaryTask(database, nowMs, logger)]
    : []
  logger?.info(
    { folder, segments: segments.all().length, events: countEvents(segments.all()) },
    'Opened the store',
  )

  const idempotencyKeys = createIdempotencyKeys(database)
  const counter = createQueryCounter()
  const reading: typeof database.reading = (signal, work) =>
    counter.measure(() => database.reading(signal, work))

  return {
    async append(events, requestKeys = []) {
      const stored = await append(events, requestKeys)
      idempotencyKeys.remember(requestKeys)
      return stored
    },
    claimRequests: idempotencyKeys.claim,
    ...queriesOf(reading, segments),
    limitedTo: services =>
      queriesOf((signal, work) => reading(signal, source => work(limitSource(source, services))), segments),
    failureId: (fingerprint, signal) =>
      reading(signal, async source => (await source.failureIndex()).failureIdOf(fingerprint)),
    storedStacks: (builds, limit, signal) => reading(signal, source => storedStacks(source, builds, limit)),
    fingerprintsAfterRegroup: (builds, changes, fingerprints) =>
      reading(undefined, source => fingerprintsAfterRegroup(source, builds, changes, fingerprints)),
    async regroup(builds, fingerprints) {
      // A backup that has already copied the workspace must not contain fingerprints that were added to failures later.
      await database.backupsEnd()
      let changed = 0
      // Releases the lock after each segment, so that appends need not wait for all segments.
      for (const { name } of segments.all()) {
        changed += await writing(async (connection, all) => {
          const segment = all.find(each => each.name === name)
          return segment === undefined ? 0 : regroup(connection, segment, builds, fingerprints)
        })
      }
      return changed
    },
    async stats() {
      const oldestUs = Math.min(...segments.all().map(({ fromUs }) => fromUs))
      return {
        events: countEvents(segments.all()),
        diskBytes: await database.diskBytes(),
        damagedFiles: await database.damagedFiles(),
        oldestMs: Number.isFinite(oldestUs) ? oldestUs / 1000 : null,
        ...counter.totals(),
      }
    },
    replicas: onlyReplica,
    check: database.check,
    backup: database.backup,
    failureStates: createFailureStates({ segments, workspace, reading, withGroupingLock }),
    failureGrouping: createFailureGrouping({ workspace, reading, withGroupingLock }),
    manualGrouping: createManualGrouping({ workspace, reading, withGroupingLock }),
    failureDigests: createFailureDigests({ segments, workspace, reading, withGroupingLock }),
    savedSearches: createSavedSearches(
      query => database.reading(undefined, source => source.queryCached(query, () => false)),
      workspace,
    ),
    sourceMaps: createSourceMapStore(workspace),
    webhooks: createWebhookStore(workspace),
    tokens: createTokenStore(workspace),
    endedSessions: createSessionStore(workspace),
    audit: createAuditStore(workspace),
    settings: createSettingStore(workspace),
    undos: undosInMemory(),
    acceptedHours: signal => reading(signal, acceptedHours),
    pageEnds: (ids, size, signal) => reading(signal, source => pageEnds(source, ids, size)),
    eventsInIds: (ids, signal) => reading(signal, source => eventsInIds(source, ids)),
    importEvents: database.importEvents,
    sharedState: createSharedState(workspace),
    retain,
    countExpired: (limits, now, signal) => reading(signal, source => countExpired(source, limits, now)),
    async close() {
      const stopped = tasks.map(task => task.stop())
      await database.close()
      await Promise.all(stopped)
    },
  }
}

/** @param reading gives queries access to the events that the caller may see */
function queriesOf(
  reading: Database['reading'],
  segments: Pick<Database['segments'], 'active'>,
): EventQueries {
  return {
    events: (query, signal) =>
      reading(signal, async source => {
        const page = await eventPage(source, query, rowShape(query.attributes ?? []))
        return { ...page, events: await withPaths(source, page.events) }
      }),
    wholeEvents: (query, signal) => reading(signal, source => eventPage(source, query, wholeEvent)),
    event: (id, signal) => reading(signal, source => eventById(source, id)),
    async since(after, { query, limit, attributes = [] }, signal) {
      const { lastId } = segments.active()
      const end = { lastId, position: writePosition([lastId]) }
      const [afterId = lastId] = readPosition(after ?? '') ?? []
      if (afterId >= lastId) return { events: [], missed: 0, ...end }
      const result = await reading(signal, async source => {
        const found = await eventsSince(
          source,
          { id: afterId, upTo: lastId },
          query,
          limit,
          rowShape(attributes),
        )
        return { ...found, events: await withPaths(source, found.events) }
      })
      return { ...result, ...end }
    },
    histogram: (filter, bucketMs, signal) => reading(signal, source => histogram(source, filter, bucketMs)),
    facets: (filter, fields, limit, signal) =>
      reading(signal, source => facets(source, filter, fields, limit)),
    attributeFacet: (filter, path, limit, signal) =>
      reading(signal, source => attributeFacet(source, filter, path, limit)),
    counts: (filter, bucketMs, fields, limit, signal) =>
      reading(signal, source => counts(source, filter, bucketMs, fields, limit)),
    services: (window, bucketMs, signal) =>
      reading(signal, source => services(eventReader(source), window, bucketMs)),
    seenSources: signal => reading(signal, seenSources),
    requestSeries: (filter, bucketMs, signal) =>
      reading(signal, source => requestSeries(eventReader(source), filter, bucketMs)),
    routeMetrics: (filter, limit, signal) =>
      reading(signal, async source => routeMetrics(await routeRequests(source, filter), limit)),
    attributeSeries: (filter, series, bucketMs, signal) =>
      reading(signal, source => attributeSeries(source, filter, series, bucketMs)),
    webVitals: (filter, bucketMs, limit, signal) =>
      reading(signal, source => webVitals(source, filter, bucketMs, limit)),
    sessions: (filter, limit, signal) => reading(signal, source => sessions(source, filter, limit)),
    failures: (query, signal) => reading(signal, source => failures(failureReader(source), query)),
    failureCounts: (window, signal) => reading(signal, source => failureCounts(eventReader(source), window)),
    failure: (id, bucketMs, window, signal) =>
      reading(signal, source => failure(failureReader(source), id, { bucketMs, window })),
    failureServices: (id, signal) => reading(signal, source => failureServices(source, id)),
    failureReleases: (id, signal) => reading(signal, source => failureReleases(source, id)),
    failureImpact: (id, signal) => reading(signal, source => failureImpact(source, id)),
    releaseStarts: (filter, signal) => reading(signal, source => releaseStarts(source, filter)),
    releases: (services, signal) => reading(signal, source => releases(source, services)),
    failuresOfDigest: (digest, signal) => reading(signal, source => failuresOfDigest(source, digest)),
  }
}
