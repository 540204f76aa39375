import { LRUCache } from 'lru-cache'
import { groupBy } from '../../common/group-by.ts'
import type { TimesUs } from '../../common/metrics/times.ts'
import { createMutex } from '../../common/mutex.ts'
import { QueryLimitError } from '../../store.ts'
import type { CachedEvent } from './cached-event.ts'

/** How to read the grains of a cache. A grain is a period of fixed length, numbered from 1970. */
export type GrainReader<Value> = {
  grainUs: number
  /** How many grains to read at once, because a large result would block other work while it is parsed. */
  maxGrains: number
  /** Reads the grains from `first` up to `end`. Omits grains without events. Returns `null` if the result is too large. */
  read(first: number, end: number, signal?: AbortSignal): Promise<ReadonlyMap<number, Value> | null>
  /** The value of a grain without events. */
  empty(grain: number): Value
  /** Adds events that were stored after the grain was read. Returns `null` if the grain must be read again. */
  add(value: Value, events: readonly CachedEvent[]): Value | null
  bytesOf(value: Value): number
}

/** Values computed from the events of each grain. */
export type GrainCache<Value> = {
  readonly grainUs: number
  /**
   * Returns the values of the grains that overlap these time ranges, or `null` if they do not fit into memory.
   * @param options.isTooMuch stops reading, and returns `null`, if it returns `true` for the values so far
   * @throws QueryLimitError if a read exceeds a limit of ClickHouse. The next calls return `null`
   */
  get(
    times: readonly TimesUs[],
    options?: { isTooMuch?: (values: Iterable<Value>) => boolean; signal?: AbortSignal | undefined },
  ): Promise<ReadonlyMap<number, Value> | null>
  /** Adds events after they have been stored. */
  add(events: readonly CachedEvent[]): void
  /** Discards the grains that overlap a time range, because unknown events have been stored. */
  discard(times: TimesUs): void
}

/**
 * Grains and results are read again after this time, in case a replica was killed before it recorded a change of stored
 * events.
 */
export const maxAgeMs = 3_600_000
/** Grains whose result was too large are not read again for this time. */
const tooLargeMs = 600_000
/** More grains than any page needs. */
const maxGrainsOfWindow = 5000

export function createGrainCache<Value extends object>(
  { grainUs, maxGrains, read, empty, add, bytesOf }: GrainReader<Value>,
  maxBytes: number,
): GrainCache<Value> {
  const values = new LRUCache<number, Value>({
    maxSize: maxBytes,
    sizeCalculation: bytesOf,
    ttl: maxAgeMs,
    noUpdateTTL: true,
  })
  const tooLarge = new LRUCache<number, true>({ max: maxGrainsOfWindow, ttl: tooLargeMs })
  const withLock = createMutex()
  /**
   * The events that were stored during the current read, which may or may not have found them, by grain. `null` if the events
   * are unknown.
   */
  let duringRead: Map<number, CachedEvent[] | null> | null = null
  let failures = 0
  let lastError: unknown

  const readRun = async (
    first: number,
    end: number,
    signal: AbortSignal | undefined,
  ): Promise<ReadonlyMap<number, Value> | null> => {
    const added = new Map<number, CachedEvent[] | null>()
    duringRead = added
    try {
      const found = await read(first, end, signal)
      if (found === null) return null
      const all = new Map<number, Value>()
      for (let grain = first; grain < end; grain += 1) {
        const value = found.get(grain) ?? empty(grain)
        const events = added.get(grain)
        const complete = events === undefined ? value : events && add(value, events)
        if (complete !== null) values.set(grain, complete)
        all.set(grain, complete ?? value)
      }
      return all
    } finally {
      duringRead = null
    }
  }

  const cached = (grains: readonly number[]) => {
    const all = new Map<number, Value>()
    const missing: number[] = []
    for (const grain of grains) {
      const value = values.get(grain)
      if (value === undefined) missing.push(grain)
      else all.set(grain, value)
    }
    return { all, missing }
  }

  return {
    grainUs,
    async get(times, { isTooMuch = () => false, signal } = {}) {
      const grains = grainsOf(times, grainUs)
      if (grains === null) return null
      const failuresBefore = failures
      const found = cached(grains)
      if (found.missing.length === 0) return isTooMuch(found.all.values()) ? null : found.all
      return withLock(async () => {
        signal?.throwIfAborted()
        // Otherwise, waiting pages would fail one after another.
        if (failures !== failuresBefore) throw lastError
        const { all, missing } = cached(grains)
        if (missing.some(grain => tooLarge.has(grain))) return null
        for (const { first, end } of runsOf(missing, maxGrains)) {
          if (isTooMuch(all.values())) return null
          const markTooLarge = () => {
            for (let grain = first; grain < end; grain += 1) tooLarge.set(grain, true)
          }
          const run = await readRun(first, end, signal).catch(error => {
            // If the visitor has left, those who wait for the same grains have not.
            if (signal?.aborted) throw error
            if (error instanceof QueryLimitError) markTooLarge()
            failures += 1
            lastError = error
            throw error
          })
          if (run === null) {
            markTooLarge()
            return null
          }
          for (const [grain, value] of run) all.set(grain, value)
        }
        return isTooMuch(all.values()) ? null : all
      })
    },
    add(events) {
      const grainOf = ({ timeUs }: CachedEvent) => Math.floor(timeUs / grainUs)
      for (const [first, ofGrain] of groupBy(events, grainOf)) {
        const grain = grainOf(first)
        const before = duringRead?.get(grain)
        if (before !== null) duringRead?.set(grain, [...(before ?? []), ...ofGrain])
        const value = values.get(grain)
        if (value === undefined) continue
        const complete = add(value, ofGrain)
        if (complete === null) values.delete(grain)
        else values.set(grain, complete)
      }
    },
    discard(times) {
      for (const grain of grainsOf([times], grainUs) ?? []) {
        duringRead?.set(grain, null)
        values.delete(grain)
      }
    },
  }
}

/** The numbers of the grains that overlap these times, in ascending order; `null` if there are too many. */
function grainsOf(times: readonly TimesUs[], grainUs: number): number[] | null {
  const grains = new Set<number>()
  for (const { fromUs, toUs } of times) {
    const end = Math.ceil(toUs / grainUs)
    for (let grain = Math.floor(fromUs / grainUs); grain < end; grain += 1) {
      grains.add(grain)
      if (grains.size > maxGrainsOfWindow) return null
    }
  }
  return [...grains].sort((a, b) => a - b)
}

/** Divides sorted numbers into runs of at most `max` consecutive numbers. */
function runsOf(numbers: readonly number[], max: number): { first: number; end: number }[] {
  const runs: { first: number; end: number }[] = []
  for (const each of numbers) {
    const last = runs.at(-1)
    if (last?.end === each && each - last.first < max) last.end += 1
    else runs.push({ first: each, end: each + 1 })
  }
  return runs
}
