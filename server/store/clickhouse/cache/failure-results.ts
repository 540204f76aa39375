import { LRUCache } from 'lru-cache'
import type { Row } from '../../common/rows.ts'
import type { Sql } from '../../common/sql.ts'
import { statement } from '../sql/statement.ts'
import type { EventCache } from './event-cache.ts'
import { maxAgeMs } from './grain-cache.ts'

/** The approximate number of characters in all results, and in one result. */
const maxLength = 10_000_000
const maxResultLength = 500_000

/** Caches the results of queries that depend only on failures, because engineers often look at the same failure. */
export function createFailureResults({ failureVersion }: Pick<EventCache, 'failureVersion'>) {
  const results = new LRUCache<string, { version: number; rows: readonly Row[] }>({
    maxSize: maxLength,
    maxEntrySize: maxResultLength,
    ttl: maxAgeMs,
    sizeCalculation: ({ rows }, key) => key.length + JSON.stringify(rows).length,
  })
  return {
    async select(query: Sql, run: (query: Sql) => Promise<readonly Row[]>): Promise<readonly Row[]> {
      const version = await failureVersion()
      const { text, params } = statement(query)
      const key = JSON.stringify([text, params])
      const cached = results.get(key)
      if (cached?.version === version) return cached.rows
      const rows = await run(query)
      results.set(key, { version, rows })
      return rows
    },
  }
}
