import { LRUCache } from 'lru-cache'
import { divideAtGrains } from '../../common/metrics/divide-at-grains.ts'
import type { GroupList } from '../../common/metrics/group-list.ts'
import { type Buckets, grainUs, type TimesUs } from '../../common/metrics/times.ts'
import { join, sql } from '../../common/sql.ts'
import type { Connection } from '../engine/connection.ts'
import { statement } from '../sql/statement.ts'
import { createGrainCache, type GrainCache } from './grain-cache.ts'
import {
  type CountedSearch,
  type CountedValue,
  createCountedValues,
  readCounts,
  searchCountGrains,
  type ValueCounts,
  valueCounts,
} from './search-count-grains.ts'

/** `parts` are half-hours, and buckets at the ends of the window. `fromUs` is the start of a part. */
export type SearchCounts = {
  values: readonly CountedValue[]
  parts: readonly ({ fromUs: number } & ValueCounts)[]
}

type CachedSearch = { values: GroupList<CountedValue>; grains: GrainCache<ValueCounts> }

/** A page of the log needs several counts if the search selects values of a field. */
const maxSearches = 16
/** Limits the memory of each search. */
const maxBytes = 3_000_000
/** If a larger part of the window has to be read for each search, nothing is cached. */
const maxRemaining = 0.25
/** If events have too many different values, other searches are not cached until this time has passed. */
const retryAfterMs = 600_000

/**
 * Divides a window into whole half-hours, which can be cached, and the remaining times. Returns `null` if too little can be
 * cached.
 */
export function divideSearch(
  window: TimesUs,
  bucketUs: number,
): { whole: TimesUs[]; remaining: TimesUs[] } | null {
  const divided = divideAtGrains(window, bucketUs)
  return lengthOf(divided.remaining) > lengthOf([window]) * maxRemaining ? null : divided
}

/** Caches the counts of recent searches, because engineers repeat them: they reload, turn pages or open events. */
export function createSearchCounts(engine: Pick<Connection, 'select'>) {
  const searches = new LRUCache<string, CachedSearch>({ max: maxSearches })
  let tooManyValuesMs = Number.NEGATIVE_INFINITY

  const cacheOf = (search: CountedSearch): CachedSearch | null => {
    const key = JSON.stringify(statement(valueCounts(search, sql`0`, sql`true`)))
    const existing = searches.get(key)
    if (existing !== undefined) return existing
    if (performance.now() < tooManyValuesMs + retryAfterMs) return null
    const values = createCountedValues()
    const onTooMany = () => {
      tooManyValuesMs = performance.now()
      searches.delete(key)
    }
    const grains = createGrainCache(searchCountGrains(engine, search, values, onTooMany), maxBytes)
    searches.set(key, { values, grains })
    return { values, grains }
  }

  /** Counts the events at these times, by bucket. */
  const countIn = async (
    times: readonly TimesUs[],
    { fromUs, bucketUs }: Buckets,
    search: CountedSearch,
    values: GroupList<CountedValue>,
    signal: AbortSignal | undefined,
  ): Promise<SearchCounts['parts'] | null> => {
    if (times.length === 0) return []
    const during = times.map(each => sql`(time_us >= ${each.fromUs} AND time_us < ${each.toUs})`)
    const bucket = sql`intDiv(time_us - ${fromUs}, ${bucketUs})`
    const query = valueCounts(search, bucket, sql`(${join(during, ' OR ')})`)
    const buckets = await readCounts(await engine.select(query, signal), values)
    return (
      buckets && Array.from(buckets, ([index, counts]) => ({ fromUs: fromUs + index * bucketUs, ...counts }))
    )
  }

  return {
    /** @param divided the result of `divideSearch` */
    async count(
      search: CountedSearch,
      { whole, remaining }: { whole: readonly TimesUs[]; remaining: readonly TimesUs[] },
      buckets: Buckets,
      signal: AbortSignal | undefined,
    ): Promise<SearchCounts | null> {
      const cache = cacheOf(search)
      if (cache === null) return null
      const { values, grains } = cache
      const cached = await grains.get(whole, { isTooMuch, signal })
      const others = cached && (await countIn(remaining, buckets, search, values, signal))
      if (cached === null || others === null) return null
      const parts = Array.from(cached, ([grain, counts]) => ({ fromUs: grain * grainUs, ...counts }))
      return { values: values.list, parts: [...parts, ...others] }
    },
    caches: () => Array.from(searches.values(), ({ grains }) => grains),
  }
}

/** Otherwise, the first half-hours of a long window would be evicted before the last ones are read. */
function isTooMuch(grains: Iterable<ValueCounts>): boolean {
  let bytes = 0
  for (const { values, counts } of grains) bytes += values.byteLength + counts.byteLength
  return bytes > maxBytes / 2
}

function lengthOf(times: readonly TimesUs[]): number {
  return times.reduce((sum, { fromUs, toUs }) => sum + toUs - fromUs, 0)
}
