import { readPosition, writePosition } from '../common/position.ts'
import { createQueryCounter } from '../common/query-counter.ts'
import { releaseStarts, releases } from '../common/releases.ts'
import { number } from '../common/rows.ts'
import { seenSources } from '../common/seen-sources.ts'
import { limitTimes } from '../common/service-times.ts'
import { sql } from '../common/sql.ts'
import { failureIdOf } from '../state/failure-ids.ts'
import type { EventQueries, Store } from '../store.ts'
import { type Engine, openEngine } from './engine/engine.ts'
import type { ServerAddress } from './engine/server-address.ts'
import { append } from './events/append.ts'
import { attributeFacet, attributeSeries, counts, facets, histogram } from './events/counts.ts'
import { eventById, eventPage, eventsSince } from './events/event-page.ts'
import { countExpired } from './events/expired.ts'
import { eventBytes } from './events/partitions.ts'
import { createRequestClaims } from './events/request-claims.ts'
import { withPaths } from './events/request-paths.ts'
import { requestSeries, routeMetrics } from './events/requests.ts'
import { createRetention } from './events/retain.ts'
import { createServiceTimes } from './events/service-times.ts'
import { services } from './events/services.ts'
import { sessions, webVitals } from './events/visitors.ts'
import { failureDigests } from './failures/failure-digests.ts'
import { failureGrouping } from './failures/failure-grouping.ts'
import { failureStates } from './failures/failure-states.ts'
import {
  failure,
  failureCounts,
  failureImpact,
  failureReleases,
  failureServices,
  failures,
  failuresOfDigest,
} from './failures/failures.ts'
import { manualGrouping } from './failures/manual-grouping.ts'
import { fingerprintsAfterRegroup, regroup, storedStacks } from './failures/stacks.ts'
import { accessRecentUndos } from './recent-undos.ts'
import { rowShape, wholeEvent } from './sql/event-rows.ts'
import { preferProjection } from './sql/expressions.ts'
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
    ({ events, serviceTimes }: Pick<Source, 'events' | 'serviceTimes'>): Reading =>
    async (signal, work) => {
      signal?.throwIfAborted()
      const source: Source = {
        events,
        serviceTimes,
        select: query => select(query, signal),
        read: work => readCached(work, signal),
      }
      return counter
        .measure(() => work(source))
        .catch(error => {
          signal?.throwIfAborted()
          throw error
        })
    }
  const serviceTimes = createServiceTimes(engine)
  const reading = readingOf({ events: allEvents, serviceTimes: serviceTimes.read })
  const readingOfServices = (services: readonly string[]) =>
    readingOf({
      events: eventsOfServices(services),
      serviceTimes: async () => limitTimes(await serviceTimes.read(), new Set(services)),
    })
  const retain = createRetention(engine)
  const deleteUnusedContents = createContentCleanup(engine)
  const requestClaims = createRequestClaims(engine)
  /** Simultaneous checks share one query, because anybody can request `/readyz`. */
  let checking: Promise<void> | null = null

  return {
    async append(events, keys = []) {
      const stored = await engine.append(
        async () => {
          requestClaims.confirm(keys)
          return append(engine, engine.ids, events, keys)
        },
        stored => stored.at(-1)?.id ?? null,
      )
      serviceTimes.add(stored)
      return stored
    },
    claimRequests: requestClaims.claim,
    ...queriesOf(reading, engine.newest),
    limitedTo: services => queriesOf(readingOfServices(services), engine.newest),
    failureId: (fingerprint, signal) => readCached(state => failureIdOf(state, fingerprint), signal),
    storedStacks: (builds, limit, signal) => reading(signal, source => storedStacks(source, builds, limit)),
    fingerprintsAfterRegroup: (builds, changes, fingerprints) =>
      fingerprintsAfterRegroup(engine, builds, changes, fingerprints),
    regroup: (builds, changes) => regroup(engine, builds, changes),
    failureStates: failureStates(engine),
    failureGrouping: failureGrouping(engine),
    manualGrouping: manualGrouping(engine),
    failureDigests: failureDigests(engine),
    ...workspace(engine, nowMs),
    ...transfer(engine, serviceTimes.clear),
    async retain(limits, now) {
      await accessRecentUndos(engine, () => now)(() => {})
      const deleted = await retain(limits, now)
      if (deleted > 0) serviceTimes.clear()
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
      const [[row], diskBytes] = await Promise.all([
        select(
          sql`SELECT count() AS events, min(time_us) AS oldest_us FROM event ${preferProjection('failures')}`,
        ),
        eventBytes(engine),
      ])
      const events = number(row?.events)
      return {
        events,
        diskBytes,
        oldestMs: events === 0 ? null : number(row?.oldest_us) / 1000,
        damagedFiles: [],
        ...counter.totals(),
      }
    },
    replicas: engine.replicas,
    close: engine.close,
  }
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
    services: (window, bucketMs, signal) => reading(signal, source => services(source, window, bucketMs)),
    seenSources: signal => reading(signal, seenSources),
    requestSeries: (filter, bucketMs, signal) =>
      reading(signal, source => requestSeries(source, filter, bucketMs)),
    routeMetrics: (filter, limit, signal) => reading(signal, source => routeMetrics(source, filter, limit)),
    webVitals: (filter, bucketMs, limit, signal) =>
      reading(signal, source => webVitals(source, filter, bucketMs, limit)),
    sessions: (filter, limit, signal) => reading(signal, source => sessions(source, filter, limit)),
    attributeSeries: (filter, series, bucketMs, signal) =>
      reading(signal, source => attributeSeries(source, filter, series, bucketMs)),
    releaseStarts: (filter, signal) => reading(signal, source => releaseStarts(source, filter)),
    releases: (services, signal) => reading(signal, source => releases(source, services)),
    failures: (query, signal) => reading(signal, source => failures(source, query)),
    failureCounts: (window, signal) => reading(signal, source => failureCounts(source, window)),
    failure: (id, bucketMs, window, signal) =>
      reading(signal, source => failure(source, id, bucketMs, window)),
    failureServices: (id, signal) => reading(signal, source => failureServices(source, id)),
    failureReleases: (id, signal) => reading(signal, source => failureReleases(source, id)),
    failureImpact: (id, signal) => reading(signal, source => failureImpact(source, id)),
    failuresOfDigest: (digest, signal) => reading(signal, source => failuresOfDigest(source, digest)),
  }
}
