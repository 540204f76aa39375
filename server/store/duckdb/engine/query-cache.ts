import { LRUCache } from 'lru-cache'
import { type Sql, statement } from '../sql/sql.ts'
import type { Row, RunQuery } from './connections.ts'
import type { Segment } from './segments.ts'

/** Enough for the results of several hundred pages. */
const maxBytes = 10_000_000

/**
 * Remembers results until the store changes, because visitors often need the same ones, such as when each service sent its
 * last event. For small results only.
 * @param segments returns all segments
 */
export function createQueryCache(runQuery: RunQuery, segments: () => readonly Segment[]) {
  const results = new LRUCache<string, readonly Row[]>({ maxSize: maxBytes, sizeCalculation: bytesOf })
  const running = new Map<string, Promise<readonly Row[]>>()
  let workspaceChanges = 0

  return {
    /**
     * Simultaneous callers share one query, so it cannot be aborted.
     * @param options.onlyFailures whether the result depends only on events with a fingerprint
     */
    async query(query: Sql, { onlyFailures = false } = {}): Promise<readonly Row[]> {
      const { text, values } = statement(query)
      const versions = segments().map(({ name, revision, lastId, lastFailureId }) => [
        name,
        revision,
        onlyFailures ? lastFailureId : lastId,
      ])
      const key = JSON.stringify([text, values, versions, workspaceChanges])
      const known = results.get(key)
      if (known !== undefined) return known
      const shared = running.get(key) ?? runQuery(query).finally(() => running.delete(key))
      running.set(key, shared)
      const rows = await shared
      results.set(key, rows)
      return rows
    },
    countWorkspaceChange(): void {
      workspaceChanges += 1
    },
  }
}

/** The memory of a result, approximately. */
function bytesOf(rows: readonly Row[]): number {
  return rows.flatMap(row => Object.values(row)).reduce<number>((sum, value) => sum + valueBytes(value), 1)
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return 16 + 2 * value.length
  if (value instanceof Uint8Array) return 16 + value.byteLength
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + valueBytes(item), 16)
  return 16
}
