import { DuckDBBlobValue } from '@duckdb/node-api'
import { LRUCache } from 'lru-cache'
import { number } from '../../common/rows.ts'
import { name, sql } from '../../common/sql.ts'
import type { ReadResult } from '../engine/connections.ts'
import type { Segment } from '../engine/segments.ts'
import { type BlockFilter, bytesOf, decodeFilter } from './block-filter.ts'

/** The stored filters of segments, cached in memory. */
export type SearchFilters = {
  /** The filters of a segment's blocks, oldest first. Newer events may have no filter yet. */
  read(segment: Pick<Segment, 'name'>): Promise<readonly BlockFilter[]>
  /** Discards a segment's cached filters, because its stored filters have changed. */
  refresh(segmentName: string): void
}

/** Enough for about fifty million events. Filters that do not fit are read from the file again. */
const defaultMaxBytes = 64_000_000

export function createSearchFilters(readResult: ReadResult, maxBytes = defaultMaxBytes): SearchFilters {
  const cache = new LRUCache<string, readonly BlockFilter[]>({
    maxSize: maxBytes,
    sizeCalculation: filters => filters.reduce((sum, filter) => sum + bytesOf(filter), 1),
  })
  const loading = new Map<string, Promise<readonly BlockFilter[]>>()

  const load = async (segment: string) => {
    const reading = readFilters(readResult, segment)
    loading.set(segment, reading)
    try {
      const filters = await reading
      // Do not cache the filters if one was added during the read.
      if (loading.get(segment) === reading) cache.set(segment, filters)
      return filters
    } finally {
      if (loading.get(segment) === reading) loading.delete(segment)
    }
  }
  return {
    read: async ({ name }) => cache.get(name) ?? loading.get(name) ?? load(name),
    refresh(name) {
      cache.delete(name)
      loading.delete(name)
    },
  }
}

async function readFilters(readResult: ReadResult, segment: string): Promise<BlockFilter[]> {
  const result = await readResult(
    sql`SELECT after_id, last_id, filter FROM ${name(segment)}.search_filter ORDER BY after_id`,
  )
  return Array.from({ length: result.rowCount }, (_, row) => {
    const bytes = result.value(2, row)
    if (!(bytes instanceof DuckDBBlobValue)) throw new TypeError('Expected bytes from the engine')
    return decodeFilter(number(result.value(0, row)), number(result.value(1, row)), bytes.bytes)
  })
}
