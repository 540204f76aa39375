import { failure, failureCounts, failures } from '../common/metrics/failures.ts'
import { requestSeries } from '../common/metrics/request-series.ts'
import { routeMetrics } from '../common/metrics/route-metrics.ts'
import { services } from '../common/metrics/services.ts'
import { readPosition, writePosition } from '../common/position.ts'
import { createQueryCounter } from '../common/query-counter.ts'
import { releaseStarts, releases } from '../common/releases.ts'
import { seenSources } from '../common/seen-sources.ts'
import { limitTimes } from '../common/service-times.ts'
import { sql } from '../common/sql.ts'
import { failureIdOf } from '../state/failure-ids.ts'
import type { EventQueries, Store } from '../store.ts'
import { createEventCache } from './cache/event-cache.ts'
import { createFailureResults } from './cache/failure-results.ts'
import { type Engine, openEngine } from './engine/engine.ts'
import type { ServerAddress } from './engine/server-address.ts'
import { append } from './events/append.ts'
import { attributeFacet, attributeSeries, counts, facets, histogram } from './events/counts.ts'
import { recordEventChange } from './events/event-changes.ts'
import { eventById, eventPage, eventsSince } from './events/event-page.ts'
import { eventReader } from './events/event-reader.ts'
import { countExpired } from './events/expired.ts'
import { createRequestClaims } from './events/request-claims.ts'
import { withPaths } from './events/request-paths.ts'
import { routeRequests } from './events/requests.ts'
import { createRetention } from './events/retain.ts'
import { createServiceTimes } from './events/service-times.ts'
import { createTotals } from './events/totals.ts'
import { sessions, webVitals } from './events/visitors.ts'
import { failureDigests } from './failures/failure-digests.ts'
import { failureGrouping } from './failures/failure-grouping.ts'
import { failureReader } from './failures/failure-reader.ts'
import { failureStates } from './failures/failure-states.ts'
import { failureImpact, failureReleases, failureServices } from './failures/failures.ts'
import { failuresOfDigest } from './failures/failures-of-digest.ts'
import { manualGrouping } from './failures/manual-grouping.ts'
import { fingerprintsAfterRegroup, regroup, storedStacks } from './failures/stacks.ts'
import { accessRecentUndos } from './recent-undos.ts'
import { rowShape, wholeEvent } from './sql/event-rows.ts'
import { between } from './sql/positions.ts'
import { allEvents, eventsOfServices, type Source } from './sql/source.ts'
import { transfer } from './transfer.ts'
import { createContentCleanup } from './unused-contents.ts'
import { workspace } from './workspace.ts'

const checkLimitMs = 5000

/** Runs a query, counts it, and measures its duration. */
type Reading = <T>(signal: AbortSignal | undefined, work: (source: Source) => Promise<T>) => Promise<T>

/**
 * Opens the store in a ClickHouse database. Several processes can use the same database.
 * @param options.takesLease whether this process may get the lease; see `Replicas`
 * @throws StoreUnavailableError if the store cannot be used
 */
export async function openClickHouseStore(
  address: ServerAddress,
  { nowMs = Date.now, takesLease = true }: { nowMs?: () => number; takesLease?: boolean } = {},
): Promise<Store> {
  const engine = await openEngine(address, { nowMs, takesLease })
  const { readCached, select } = engine
  const counter = createQueryCounter()

  const readingOf =
    (readable: Pick<Source, 'events' | 'services' | 'serviceTimes'>): Reading =>
    async (signal, work) => {
      signal?.throwIfAborted()
      const source: Source = {
        ...readable,
        cache,
        signal,
        select: query => select(query, signal),
        selectOfFailures: query => failureResults.select(query, query => select(query, signal)),
        read: work => readCached(work, signal),
      }
      return counter
        .measure(() => unlessAborted(work(source), signal))
        .catch(error => {
          signal?.throwIfAborted()
          throw error
        })
    }
  const serviceTimes = createServiceTimes(engine)
  const totals = createTotals(engine)
  const cache = createEventCache(engine)
  const failureResults = createFailureResults(cache)
  const reading = readingOf({ events: allEvents, services: null, serviceTimes: serviceTimes.read })
  const readingOfServices = (services: readonly string[]) =>
    readingOf({
      events: eventsOfServices(services),
      services: new Set(services),
      serviceTimes: async () => limitTimes(await serviceTimes.read(), new Set(services)),
    })
  const retain = createRetention(engine)
  const deleteUnusedContents = createContentCleanup(engine)
  const requestClaims = createRequestClaims(engine)
  const clearCaches = () => {
    serviceTimes.clear()
    totals.clear()
    cache.clear()
  }
  /** Runs work that may change stored events, and afterwards lets all replicas read them again. */
  const changingEvents = async <T>(work: (change: Engine['change']) => Promise<T>): Promise<T> => {
    let isChanged = false
    try {
      return await work(command => {
        isChanged = true
        return engine.change(command)
      })
    } finally {
      // Also after an error, because some of the events may have changed.
      if (isChanged) {
        clearCaches()
        await recordEventChange(engine.access)
      }
    }
  }
  /** Simultaneous checks share one query, because anybody can request `/readyz`. */
  let checking: Promise<void> | null = null

  return {
    append: (events, keys = []) =>
      totals.addStored(async () => {
        const stored = await engine
          .append(
            async () => {
              requestClaims.confirm(keys)
              return append(engine, engine.ids, events, keys)
            },
            stored => stored.at(-1)?.id ?? null,
          )
          .catch(error => {
            // The events may have been stored.
            cache.addUnknown()
            throw error
          })
        serviceTimes.add(stored)
        cache.add(stored)
        return stored
      }),
    claimRequests: requestClaims.claim,
    ...queriesOf(reading, engine.newest),
    limitedTo: services => queriesOf(readingOfServices(services), engine.newest),
    failureId: (fingerprint, signal) => readCached(state => failureIdOf(state, fingerprint), signal),
    storedStacks: (builds, limit, signal) => reading(signal, source => storedStacks(source, builds, limit)),
    fingerprintsAfterRegroup: (builds, changes, fingerprints) =>
      fingerprintsAfterRegroup(engine, builds, changes, fingerprints),
    regroup: (builds, changes) => changingEvents(change => regroup({ ...engine, change }, builds, changes)),
    failureStates: failureStates(engine),
    failureGrouping: failureGrouping(engine),
    manualGrouping: manualGrouping(engine),
    failureDigests: failureDigests(engine),
    ...workspace(engine, nowMs),
    ...transfer(engine, clearCaches),
    async retain(limits, now) {
      await accessRecentUndos(engine, () => now)(() => {})
      const deleted = await changingEvents(change => retain(change, limits, now))
      await deleteUnusedContents(now)
      return deleted
    },
    countExpired: (limits, now, signal) =>
      reading(signal, ({ select }) => countExpired({ select, layout: engine.layout }, limits, now)),
    check() {
      checking ??= select(sql`SELECT 1 FROM event LIMIT 1`, AbortSignal.timeout(checkLimitMs))
        .then(() => {})
        .finally(() => {
          checking = null
        })
      return checking
    },
    async stats() {
      const { events, oldestUs, diskBytes } = await totals.read()
      return {
        events,
        diskBytes,
        oldestMs: events === 0 ? null : oldestUs / 1000,
        damagedFiles: [],
        ...counter.totals(),
      }
    },
    replicas: engine.replicas,
    close: engine.close,
  }
}

/** Rejects as soon as the signal is aborted, although other pages may still wait for a shared query. */
function unlessAborted<T>(result: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return result
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

function queriesOf(reading: Reading, newest: Engine['newest']): EventQueries {
  return {
    events: (query, signal) =>
      reading(signal, async source => {
        const page = await eventPage(source, query, rowShape(query.attributes))
        return { ...page, events: await withPaths(source, page.events) }
      }),
    wholeEvents: (query, signal) => reading(signal, source => eventPage(source, query, wholeEvent)),
    event: (id, signal) => reading(signal, source => eventById(source, id)),
    async since(after, { query, limit, attributes }, signal) {
      const upTo = newest.ids()
      const end = { lastId: newest.id(), position: writePosition(upTo) }
      const from = after === null ? null : readPosition(after)
      const newer = from === null ? null : between(from, upTo)
      if (newer === null) return { events: [], missed: 0, ...end }
      const result = await reading(signal, async source => {
        const found = await eventsSince(source, newer, query, limit, rowShape(attributes))
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
    webVitals: (filter, bucketMs, limit, signal) =>
      reading(signal, source => webVitals(source, filter, bucketMs, limit)),
    sessions: (filter, limit, signal) => reading(signal, source => sessions(source, filter, limit)),
    attributeSeries: (filter, series, bucketMs, signal) =>
      reading(signal, source => attributeSeries(source, filter, series, bucketMs)),
    releaseStarts: (filter, signal) => reading(signal, source => releaseStarts(source, filter)),
    releases: (services, signal) => reading(signal, source => releases(source, services)),
    failures: (query, signal) => reading(signal, source => failures(failureReader(source), query)),
    failureCounts: (window, signal) => reading(signal, source => failureCounts(eventReader(source), window)),
    failure: (id, bucketMs, window, signal) =>
      reading(signal, source => failure(failureReader(source), id, { bucketMs, window })),
    failureServices: (id, signal) => reading(signal, source => failureServices(source, id)),
    failureReleases: (id, signal) => reading(signal, source => failureReleases(source, id)),
    failureImpact: (id, signal) => reading(signal, source => failureImpact(source, id)),
    failuresOfDigest: (digest, signal) => reading(signal, source => failuresOfDigest(source, digest)),
  }
}
