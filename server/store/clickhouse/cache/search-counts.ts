import { LRUCache } from 'lru-cache'
import { divideAtGrains } from '../../common/metrics/divide-at-grains.ts'
import { type Buckets, grainUs, type TimesUs } from '../../common/metrics/times.ts'
import { join, sql } from '../../common/sql.ts'
import type { Connection } from '../engine/connection.ts'
import { statement } from '../sql/statement.ts'
import { createGrainCache, type GrainCache } from './grain-cache.ts'
import {
  type CountedSearch,
  readCounts,
  searchCountGrains,
  type ValueCounts,
  valueCounts,
} from './search-count-grains.ts'

/** The counts of a half-hour or bucket, which starts at `fromUs`. */
export type SearchCounts = { fromUs: number; counts: ValueCounts }

const maxSearches = 8
/** Limits the memory of each search. */
const maxBytes = 4_000_000
/** The largest part of a window that is read for each search. With a larger part, the cache would save little. */
const maxRemaining = 0.1
/** If events have too many different values, the next attempt to cache them is after this time. */
const retryAfterMs = 600_000

/** Caches the counts of recent searches, because engineers repeat them: they reload, turn pages or open events. */
export function createSearchCounts(engine: Pick<Connection, 'select'>) {
  const searches = new LRUCache<string, GrainCache<ValueCounts>>({ max: maxSearches })
  let tooManyValuesMs = Number.NEGATIVE_INFINITY
  const onTooMany = () => {
    tooManyValuesMs = performance.now()
  }

  const cacheOf = (search: CountedSearch): GrainCache<ValueCounts> => {
    const key = JSON.stringify(statement(valueCounts(search, sql`0`, sql`true`)))
    const cache =
      searches.get(key) ?? createGrainCache(searchCountGrains(engine, search, onTooMany), maxBytes)
    searches.set(key, cache)
    return cache
  }

  /** Counts the events at these times, by bucket. */
  const countIn = async (
    times: readonly TimesUs[],
    { fromUs, bucketUs }: Buckets,
    search: CountedSearch,
    signal: AbortSignal | undefined,
  ): Promise<SearchCounts[] | null> => {
    if (times.length === 0) return []
    const during = times.map(each => sql`(time_us >= ${each.fromUs} AND time_us < ${each.toUs})`)
    const bucket = sql`intDiv(time_us - ${fromUs}, ${bucketUs})`
    const query = valueCounts(search, bucket, sql`(${join(during, ' OR ')})`)
    const buckets = await readCounts(await engine.select(query, signal))
    return (
      buckets && Array.from(buckets, ([index, counts]) => ({ fromUs: fromUs + index * bucketUs, counts }))
    )
  }

  return {
    /** See `EventCache.searchCounts`. */
    async count(
      search: CountedSearch,
      window: TimesUs,
      bucketUs: number,
      signal: AbortSignal | undefined,
    ): Promise<SearchCounts[] | null> {
      const { whole, remaining } = divideAtGrains(window, bucketUs)
      if (lengthOf(remaining) > lengthOf([window]) * maxRemaining) return null
      if (performance.now() < tooManyValuesMs + retryAfterMs) return null
      const [grains, others] = await Promise.all([
        cacheOf(search).get(whole, { signal }),
        countIn(remaining, { fromUs: window.fromUs, bucketUs }, search, signal),
      ])
      if (grains === null || others === null) return null
      return [...Array.from(grains, ([grain, counts]) => ({ fromUs: grain * grainUs, counts })), ...others]
    },
    caches: () => searches.values(),
  }
}

function lengthOf(times: readonly TimesUs[]): number {
  return times.reduce((sum, { fromUs, toUs }) => sum + toUs - fromUs, 0)
}
