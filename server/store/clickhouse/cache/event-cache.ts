import { LRUCache } from 'lru-cache'
import type { LogEvent } from '../../../../shared/event.ts'
import type { Window } from '../../../../shared/range.ts'
import type { CellPart } from '../../common/metrics/add-cells.ts'
import { divideAtGrains, divideAtPeriods } from '../../common/metrics/divide-at-grains.ts'
import type { EventBlock } from '../../common/metrics/event-block.ts'
import type { CountedGroup } from '../../common/metrics/event-reader.ts'
import { createGroupList } from '../../common/metrics/group-list.ts'
import { countedKey } from '../../common/metrics/minute-chunks.ts'
import type { RequestCells } from '../../common/metrics/request-cells.ts'
import { grainUs, type TimesUs, timesOf } from '../../common/metrics/times.ts'
import type { TimedBlocks } from '../../common/metrics/visit-blocks.ts'
import type { Sql } from '../../common/sql.ts'
import { QueryLimitError } from '../../store.ts'
import type { Engine } from '../engine/engine.ts'
import { statement } from '../sql/statement.ts'
import { activityGrains } from './activity-grains.ts'
import type { CachedGroup } from './cached-event.ts'
import { eventGrains } from './event-grains.ts'
import { createGrainCache, type GrainCache } from './grain-cache.ts'
import { createNewEvents } from './new-events.ts'
import { byRoute, byService, type RequestGrouping, requestGrains } from './request-grains.ts'
import { type SampleGrain, sampleGrains } from './sample-grains.ts'
import type { CountedSearch } from './search-count-grains.ts'
import { createSearchCounts, divideSearch, type SearchCounts } from './search-counts.ts'

type Blocks<Group> = Omit<TimedBlocks<Group>, 'services'>

/** Requests that have been counted, and others as events. */
export type CachedRequests = { cells: CellPart[]; events: Blocks<CachedGroup> }

/** Events of all services, without their texts. Each method returns `null` if the events do not fit into memory. */
export type EventCache = {
  /**
   * The events in a window, as counts for whole half-hours that are in one bucket, and otherwise one by one.
   * @param bucketUs the length of a bucket. Each count includes events from only one bucket
   */
  activity(window: Window, bucketUs: number): Promise<(Blocks<CountedGroup> | Blocks<CachedGroup>)[] | null>
  /** The requests in a window. */
  requests(window: Window, bucketUs: number, grouping: 'service' | 'route'): Promise<CachedRequests | null>
  /**
   * Numeric attributes of matching events.
   * @param matching the events: `FROM … WHERE …`
   */
  samples(matching: Sql, paths: readonly string[], window: Window): Promise<SampleGrain[] | null>
  /**
   * Counts the events that a search finds in a window. If a search is repeated, only half-hours with new events and the ends
   * of the window are read. Each part of the result is in one bucket.
   * @returns `null` also if the window contains too few whole half-hours
   * @throws QueryLimitError if the search exceeds a limit of ClickHouse
   */
  searchCounts(
    search: CountedSearch,
    window: Window,
    bucketUs: number,
    signal: AbortSignal | undefined,
  ): Promise<SearchCounts | null>
  /** Increases when occurrences of failures are stored, changed or deleted. */
  failureVersion(): Promise<number>
  /** Adds events that this replica has stored. Call this in the order of their ids. */
  add(stored: readonly LogEvent[]): void
  /** Call this if a batch may have been stored although storing it failed. */
  addUnknown(): void
  /** Frees all events. Call this after stored events have been changed or deleted. */
  clear(): void
}

/** With more events in a window, a query is faster. */
const maxEvents = 500_000
/** Limits the memory of each of the seven caches, besides the samples and searches. */
const maxBytes = 30_000_000
const maxSampleBytes = 5_000_000
/** There is one for each combination of services that visitors may see. */
const maxSampleCaches = 8
/** If there are too many groups, the next attempt to cache events is after this time. */
const retryAfterMs = 600_000

/**
 * Reads events into memory once, because even a simple query takes ClickHouse several milliseconds, mostly for planning. New
 * events are added to those in memory.
 */
export function createEventCache(engine: Pick<Engine, 'select' | 'newest' | 'readCached'>): EventCache {
  let caches = createCaches(engine)
  let failureVersion = 0
  const clear = () => {
    caches = createCaches(engine)
    failureVersion += 1
  }
  const newEvents = createNewEvents(engine, {
    onEvents(events) {
      for (const cache of caches.all()) cache.add(events)
      if (events.some(({ group }) => group.fingerprint !== null)) failureVersion += 1
    },
    onPeriods(periods) {
      for (const cache of caches.all()) for (const times of periods) cache.discard(times)
      failureVersion += 1
    },
    onChange: clear,
  })

  /** Returns the caches, with all events that the page has to show. */
  const current = async (): Promise<Caches> => {
    await newEvents.read()
    if (caches.hasTooManyGroups() && performance.now() > caches.createdMs + retryAfterMs) clear()
    return caches
  }

  return {
    activity: unlessLimited(async (window, bucketUs) => {
      const times = timesOf(window)
      if (!isSupported(times)) return null
      const { activity, events } = await current()
      const { whole, remaining } = divideAtGrains(times, bucketUs)
      const [counts, others] = await Promise.all([activity.get(whole), eventsIn(events, remaining)])
      return counts && others && [{ blocks: blocksOf(counts), times: whole }, others]
    }),
    requests: unlessLimited(async (window, bucketUs, grouping) => {
      const times = timesOf(window)
      if (!isSupported(times)) return null
      const { routes, services, events } = await current()
      const { whole, remaining } = divideAtGrains(times, bucketUs)
      const [cells, others] = await Promise.all([
        cellsIn(grouping === 'route' ? routes : services, whole, times, bucketUs),
        eventsIn(events, remaining),
      ])
      return cells && others && { cells, events: others }
    }),
    samples: unlessLimited(async (matching, paths, window) => {
      const times = timesOf(window)
      if (!isSupported(times)) return null
      const { samplesOf } = await current()
      const grains = await samplesOf(matching, paths).get([times])
      return grains && [...grains.values()]
    }),
    async searchCounts(search, window, bucketUs, signal) {
      const times = timesOf(window)
      const divided = isSupported(times) ? divideSearch(times, bucketUs) : null
      if (divided === null) return null
      const { searches } = await current()
      return searches.count(search, divided, { fromUs: times.fromUs, bucketUs }, signal)
    },
    async failureVersion() {
      await current()
      return failureVersion
    },
    add: newEvents.add,
    addUnknown: newEvents.addUnknown,
    clear,
  }
}

type Caches = ReturnType<typeof createCaches>

function createCaches(engine: Pick<Engine, 'select'>) {
  const eventGroups = createGroupList<CachedGroup>(group => JSON.stringify(Object.values(group)))
  const activityGroups = createGroupList(countedKey)
  const events = createGrainCache(eventGrains(engine, eventGroups), maxBytes)
  const activity = createGrainCache(activityGrains(engine, activityGroups), maxBytes)
  const requestCache = (grouping: RequestGrouping) =>
    createGrainCache(requestGrains(engine, grouping), maxBytes)
  const [services, routes] = [byService.map(requestCache), byRoute.map(requestCache)]
  const samples = new LRUCache<string, GrainCache<SampleGrain>>({ max: maxSampleCaches })
  const searches = createSearchCounts(engine)
  return {
    events,
    activity,
    services,
    routes,
    searches,
    /** The samples of these events and paths. */
    samplesOf(matching: Sql, paths: readonly string[]): GrainCache<SampleGrain> {
      const key = JSON.stringify([statement(matching), paths])
      const cache =
        samples.get(key) ?? createGrainCache(sampleGrains(engine, matching, paths), maxSampleBytes)
      samples.set(key, cache)
      return cache
    },
    all: () => [events, activity, ...services, ...routes, ...samples.values(), ...searches.caches()],
    createdMs: performance.now(),
    /** Whether events have too many groups. */
    hasTooManyGroups: () => eventGroups.hasTooMany() || activityGroups.hasTooMany(),
  }
}

/** The events in these times, one by one. */
async function eventsIn(
  cache: Caches['events'],
  times: readonly TimesUs[],
): Promise<Blocks<CachedGroup> | null> {
  const isTooMuch = (grains: Iterable<{ events: number }>) =>
    [...grains].reduce((sum, { events }) => sum + events, 0) > maxEvents
  const grains = await cache.get(times, { isTooMuch })
  return grains && { blocks: blocksOf(grains), times }
}

/**
 * Reads each part of these times from the first cache whose grains fit into it.
 * @param whole the half-hours of `window` that do not cross a bucket boundary
 */
async function cellsIn(
  caches: readonly GrainCache<RequestCells>[],
  whole: readonly TimesUs[],
  window: TimesUs,
  bucketUs: number,
): Promise<CellPart[] | null> {
  const isOneBucket = bucketUs >= window.toUs - window.fromUs
  const usable = caches.filter(
    ({ grainUs: lengthUs }) =>
      isOneBucket ||
      lengthUs === grainUs ||
      // Otherwise, a grain could be in two buckets.
      (window.fromUs % lengthUs === 0 && bucketUs % lengthUs === 0),
  )
  let rest = whole
  const parts = await Promise.all(
    usable.map(async cache => {
      const { whole: times, others } = divideAtPeriods(rest, cache.grainUs)
      rest = others
      const grains = await cache.get(times)
      return grains && Array.from(grains.values(), cells => ({ cells, times }))
    }),
  )
  const found = parts.filter(part => part !== null)
  return found.length < parts.length ? null : found.flat()
}

/** Makes a function return `null` if a query exceeds a limit, because the events would not fit into memory either. */
function unlessLimited<Args extends unknown[], Result>(
  read: (...args: Args) => Promise<Result | null>,
): (...args: Args) => Promise<Result | null> {
  return (...args) =>
    read(...args).catch(error => {
      if (error instanceof QueryLimitError) return null
      throw error
    })
}

function blocksOf<Group>(grains: ReadonlyMap<number, { block: EventBlock<Group> }>): EventBlock<Group>[] {
  return Array.from(grains.values(), ({ block }) => block)
}

/** ClickHouse rounds negative times up instead of down, so its grains differ before 1970. */
function isSupported({ fromUs, toUs }: TimesUs): boolean {
  return fromUs > 0 && toUs > fromUs
}
