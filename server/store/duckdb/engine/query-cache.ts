import { LRUCache } from 'lru-cache'
import type { LogEvent } from '../../../../shared/event.ts'
import { type Sql, statement } from '../sql/sql.ts'
import type { Row, RunQuery } from './connections.ts'
import type { RecentEvents } from './recent-events.ts'
import type { Segment } from './segments.ts'

/** Enough for the results of several hundred pages. */
const maxBytes = 10_000_000

/** The new events that change a result: events with a fingerprint, or events for which the function returns `true`. */
export type AffectedBy = 'failures' | ((event: LogEvent) => boolean)

type CachedResult = { rows: readonly Row[]; lastId: number }

/**
 * Caches results until the store changes, because visitors often need the same results, such as the releases of each
 * service. Use it only for small results.
 * @param segments returns all segments
 */
export function createQueryCache(
  runQuery: RunQuery,
  segments: () => readonly Segment[],
  recentEvents: Pick<RecentEvents, 'since'>,
) {
  const results = new LRUCache<string, CachedResult>({
    maxSize: maxBytes,
    sizeCalculation: ({ rows }) => bytesOf(rows),
  })
  const running = new Map<string, Promise<readonly Row[]>>()
  let workspaceChanges = 0

  const isCurrent = (result: CachedResult, lastId: number, affectedBy: AffectedBy): boolean => {
    if (affectedBy === 'failures' || result.lastId === lastId) return true
    const added = recentEvents.since(result.lastId)
    if (added === null || added.some(affectedBy)) return false
    result.lastId = lastId
    return true
  }

  return {
    /**
     * Simultaneous callers share one query, so it cannot be aborted.
     * @param affectedBy by default, every new event
     */
    async query(query: Sql, affectedBy: AffectedBy = () => true): Promise<readonly Row[]> {
      const { text, values } = statement(query)
      const all = segments()
      const versions = all.map(({ name, revision, lastFailureId }) => [
        name,
        revision,
        affectedBy === 'failures' ? lastFailureId : null,
      ])
      const lastId = all.at(-1)?.lastId ?? -1
      const key = JSON.stringify([text, values, versions, workspaceChanges])
      const known = results.get(key)
      if (known !== undefined && isCurrent(known, lastId, affectedBy)) return known.rows
      const runningKey = affectedBy === 'failures' ? key : `${lastId} ${key}`
      const shared = running.get(runningKey) ?? runQuery(query).finally(() => running.delete(runningKey))
      running.set(runningKey, shared)
      const rows = await shared
      results.set(key, { rows, lastId })
      return rows
    },
    countWorkspaceChange(): void {
      workspaceChanges += 1
    },
  }
}

/** Approximate memory usage of a result. */
function bytesOf(rows: readonly Row[]): number {
  return rows.flatMap(row => Object.values(row)).reduce<number>((sum, value) => sum + valueBytes(value), 1)
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return 16 + 2 * value.length
  if (value instanceof Uint8Array) return 16 + value.byteLength
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + valueBytes(item), 16)
  return 16
}
