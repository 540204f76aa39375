import { LRUCache } from 'lru-cache'
import type { LogEvent } from '../../../../shared/event.ts'
import type { Window } from '../../../../shared/range.ts'
import type { CellPart } from '../../common/in-memory/add-cells.ts'
import { divideAtGrains } from '../../common/in-memory/divide-at-grains.ts'
import type { EventBlock } from '../../common/in-memory/event-block.ts'
import type { CountedGroup } from '../../common/in-memory/event-reader.ts'
import type { RequestCells } from '../../common/in-memory/request-cells.ts'
import { grainUs, type TimesUs, timesOf } from '../../common/in-memory/times.ts'
import type { TimedBlocks } from '../../common/in-memory/visit-blocks.ts'
import type { Sql } from '../../common/sql.ts'
import type { Engine } from '../engine/engine.ts'
import { statement } from '../sql/statement.ts'
import { activityGrains } from './activity-grains.ts'
import { eventGrains } from './event-grains.ts'
import { createGrainCache, type GrainCache } from './grain-cache.ts'
import { createGroupList } from './group-list.ts'
import type { MemoryEvent, MemoryGroup } from './memory-event.ts'
import { createNewEvents } from './new-events.ts'
import { byRoute, byService, type Grouping, requestGrains } from './request-grains.ts'
import { type SampleGrain, sampleGrains } from './sample-grains.ts'

type Blocks<Group> = Omit<TimedBlocks<Group>, 'services'>

/** Requests that have been counted, and others as events. */
export type RequestsInMemory = { cells: CellPart[]; events: Blocks<MemoryGroup> }

/** Events of all services, without their texts. Each method returns `null` if the events do not fit into memory. */
export type EventMemory = {
  /**
   * The events in a window, as counts for whole half-hours that are in one bucket, and otherwise one by one.
   * @param bucketUs the length of a bucket. Each count includes events from only one bucket
   */
  activity(window: Window, bucketUs: number): Promise<(Blocks<CountedGroup> | Blocks<MemoryGroup>)[] | null>
  /** The requests in a window. */
  requests(window: Window, bucketUs: number, grouping: 'service' | 'route'): Promise<RequestsInMemory | null>
  /**
   * Numeric attributes of matching events.
   * @param matching the events: `FROM … WHERE …`
   */
  samples(matching: Sql, paths: readonly string[], window: Window): Promise<SampleGrain[] | null>
  /** Increases when occurrences of failures are stored, changed or deleted. */
  failureVersion(): Promise<number>
  /** Adds events that this replica has stored. Call this in the order of their ids. */
  add(stored: readonly LogEvent[]): void
  /** Frees all events. Call this after stored events have been changed or deleted. */
  clear(): void
}

/** With more events in a window, a query is faster. */
const maxEvents = 500_000
/** More groups, for example because routes contain ids, would use more memory than the events. */
const maxGroups = 20_000
/** Limits the memory of each cache. */
const maxBytes = 30_000_000
const maxSampleBytes = 5_000_000
/** There is one for each combination of services that visitors may see. */
const maxSampleCaches = 8

/**
 * Reads events into memory once, because even a simple query takes ClickHouse several milliseconds, mostly for planning. New
 * events are added to those in memory.
 */
export function createEventMemory(engine: Pick<Engine, 'select' | 'newest' | 'readCached'>): EventMemory {
  let caches = createCaches(engine)
  let failureVersion = 0
  const clear = () => {
    caches = createCaches(engine)
    failureVersion += 1
  }
  const addEvents = (events: readonly MemoryEvent[]) => {
    if (caches.groupCount() > maxGroups) clear()
    for (const cache of caches.all()) cache.add(events)
    if (events.some(({ group }) => group.fingerprint !== null)) failureVersion += 1
  }
  const newEvents = createNewEvents(engine, addEvents, clear)

  /** The events in these times, one by one. */
  const eventsIn = async (times: readonly TimesUs[]): Promise<Blocks<MemoryGroup> | null> => {
    const grains = await caches.events.get(times)
    if (grains === null || sum(grains.values(), ({ events }) => events) > maxEvents) return null
    return { blocks: blocksOf(grains), times }
  }

  return {
    async activity(window, bucketUs) {
      const times = timesOf(window)
      if (!isSupported(times)) return null
      await newEvents.read()
      const { whole, remaining } = divideAtGrains(times, bucketUs)
      const [counts, events] = await Promise.all([caches.activity.get(whole), eventsIn(remaining)])
      return counts && events && [{ blocks: blocksOf(counts), times: whole }, events]
    },
    async requests(window, bucketUs, grouping) {
      const times = timesOf(window)
      if (!isSupported(times)) return null
      await newEvents.read()
      const { whole, remaining } = divideAtGrains(times, bucketUs)
      const [cells, events] = await Promise.all([
        cellsIn(grouping === 'route' ? caches.routes : caches.services, whole, times, bucketUs),
        eventsIn(remaining),
      ])
      return cells && events && { cells, events }
    },
    async samples(matching, paths, window) {
      const times = timesOf(window)
      if (!isSupported(times)) return null
      await newEvents.read()
      const grains = await caches.samplesOf(matching, paths).get([times])
      return grains && [...grains.values()]
    },
    async failureVersion() {
      await newEvents.read()
      return failureVersion
    },
    add: newEvents.add,
    clear,
  }
}

function createCaches(engine: Pick<Engine, 'select'>) {
  const eventGroups = createGroupList<MemoryGroup>(group => JSON.stringify(Object.values(group)))
  const activityGroups = createGroupList<CountedGroup>(({ service, release, fingerprint, isError }) =>
    [service, release ?? '\0', fingerprint ?? '\0', isError].join('\n'),
  )
  const events = createGrainCache(eventGrains(engine, eventGroups), maxBytes)
  const activity = createGrainCache(activityGrains(engine, activityGroups), maxBytes)
  const requestCache = (grouping: Grouping) => createGrainCache(requestGrains(engine, grouping), maxBytes)
  const [services, routes] = [byService.map(requestCache), byRoute.map(requestCache)]
  const samples = new LRUCache<string, GrainCache<SampleGrain>>({ max: maxSampleCaches })
  return {
    events,
    activity,
    services,
    routes,
    /** The samples of these events and paths. */
    samplesOf(matching: Sql, paths: readonly string[]): GrainCache<SampleGrain> {
      const key = JSON.stringify([statement(matching), paths])
      const cache =
        samples.get(key) ?? createGrainCache(sampleGrains(engine, matching, paths), maxSampleBytes)
      samples.set(key, cache)
      return cache
    },
    all: () => [events, activity, ...services, ...routes, ...samples.values()],
    groupCount: () => Math.max(eventGroups.list.length, activityGroups.list.length),
  }
}

/**
 * Reads each part of these times from the first cache whose grains fit into it.
 * @param whole the parts of `window` that consist of half-hours, each of which is in one bucket
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
      const { whole: times, others } = divide(rest, cache.grainUs)
      rest = others
      const grains = await cache.get(times)
      return grains && Array.from(grains.values(), cells => ({ cells, times }))
    }),
  )
  const found = parts.filter(part => part !== null)
  return found.length < parts.length ? null : found.flat()
}

/** Divides times into those that consist of whole grains, and the others. */
function divide(times: readonly TimesUs[], grainUs: number): { whole: TimesUs[]; others: TimesUs[] } {
  const whole: TimesUs[] = []
  const others: TimesUs[] = []
  for (const { fromUs, toUs } of times) {
    const first = Math.ceil(fromUs / grainUs) * grainUs
    const last = Math.floor(toUs / grainUs) * grainUs
    if (first < last) {
      whole.push({ fromUs: first, toUs: last })
      others.push({ fromUs, toUs: first }, { fromUs: last, toUs })
    } else others.push({ fromUs, toUs })
  }
  return { whole, others }
}

function blocksOf<Group>(grains: ReadonlyMap<number, { block: EventBlock<Group> }>): EventBlock<Group>[] {
  return Array.from(grains.values(), ({ block }) => block)
}

/** ClickHouse rounds negative times up instead of down, so its grains differ before 1970. */
function isSupported({ fromUs, toUs }: TimesUs): boolean {
  return fromUs > 0 && toUs > fromUs
}

function sum<Value>(values: Iterable<Value>, numberOf: (value: Value) => number): number {
  let total = 0
  for (const value of values) total += numberOf(value)
  return total
}
