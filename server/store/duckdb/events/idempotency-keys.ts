import { text } from '../../common/rows.ts'
import { join, name, sql } from '../../common/sql.ts'
import type { EventStore } from '../../event-store.ts'
import type { Database } from '../engine/database.ts'

/** Covers at least a minute of peak traffic, and uses about 10 MB. */
const maxKeys = 50_000

/** The newest idempotency keys. They can be cached in memory, because no other process stores events. */
export function createIdempotencyKeys({ reading }: Pick<Database, 'reading'>): {
  claim: EventStore['claimRequests']
  /** Call this after the events of the requests are stored. */
  remember(keys: readonly string[]): void
} {
  /** Oldest first; `null` before the stored keys are read. */
  let cached: Set<string> | null = null

  return {
    async claim(keys) {
      cached ??= new Set(await readKeys({ reading }))
      const stored = cached
      return keys.map(key => (stored.has(key) ? 'stored' : 'new'))
    },
    remember(keys) {
      if (cached === null) return
      for (const key of keys) cached.add(key)
      for (const oldest of cached) {
        if (cached.size <= maxKeys) break
        cached.delete(oldest)
      }
    },
  }
}

/** Returns the newest keys, oldest first. Their order does not depend on the clock, which may have been set back. */
async function readKeys({ reading }: Pick<Database, 'reading'>): Promise<string[]> {
  const rows = await reading(undefined, ({ segments, query }) => {
    const tables = segments
      .all()
      .map(
        (segment, index) =>
          sql`SELECT key, ${index} AS segment, rowid AS row FROM ${name(segment.name)}.request`,
      )
    return query(
      sql`SELECT key FROM (${join(tables, ' UNION ALL ')}) ORDER BY segment DESC, row DESC LIMIT ${maxKeys}`,
    )
  })
  return rows.map(row => text(row.key)).reverse()
}
