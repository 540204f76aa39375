import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { LogEvent } from '../../../../shared/event.ts'
import type { Row } from '../../common/rows.ts'
import type { Sql } from '../../common/sql.ts'
import { statement } from '../sql/statement.ts'
import type { RecentEvents } from './recent-events.ts'
import type { Segment } from './segments.ts'

/**
 * Selects the new events that change a result: those with a fingerprint, or those for which the function returns `true`.
 * Calls with equal queries must pass equivalent functions.
 */
export type AffectedBy = 'failures' | ((event: LogEvent) => boolean)

/** The approximate memory usage of an entry, without its result. */
const entryBytes = 300

/**
 * Caches results until the store changes, because visitors often need the same results.
 * @param options.segments returns all segments
 * @param options.bytesOf returns the approximate memory usage of a result
 */
export function createResultCache<Result>({
  run,
  bytesOf,
  maxBytes,
  segments,
  recentEvents,
}: {
  run: (query: Sql) => Promise<Result>
  bytesOf: (result: Result) => number
  maxBytes: number
  segments: () => readonly Segment[]
  recentEvents: Pick<RecentEvents, 'since'>
}) {
  const results = new LRUCache<string, { result: Result; lastId: number }>({
    maxSize: maxBytes,
    sizeCalculation: ({ result }) => entryBytes + bytesOf(result),
  })
  const running = new Map<string, Promise<Result>>()
  let workspaceChanges = 0

  const isUnaffected = (afterId: number, lastId: number, affectedBy: AffectedBy): boolean => {
    if (affectedBy === 'failures' || afterId === lastId) return true
    return recentEvents.since(afterId)?.some(affectedBy) === false
  }

  return {
    /**
     * Simultaneous callers share one query, so it cannot be aborted.
     * @param affectedBy by default, every new event
     */
    async query(query: Sql, affectedBy: AffectedBy = () => true): Promise<Result> {
      const { text, values } = statement(query)
      const all = segments()
      const versions = all.map(({ name, revision, lastFailureId }) => [
        name,
        revision,
        affectedBy === 'failures' ? lastFailureId : null,
      ])
      const lastId = all.at(-1)?.lastId ?? -1
      // The key is hashed, because the versions of hundreds of segments can be longer than the result.
      const key = createHash('sha256')
        .update(JSON.stringify([text, values, versions, workspaceChanges]))
        .digest('base64')
      const cached = results.get(key)
      if (cached !== undefined && isUnaffected(cached.lastId, lastId, affectedBy)) {
        cached.lastId = lastId
        return cached.result
      }
      const runningKey = affectedBy === 'failures' ? key : `${lastId} ${key}`
      const shared = running.get(runningKey) ?? run(query).finally(() => running.delete(runningKey))
      running.set(runningKey, shared)
      const result = await shared
      results.set(key, { result, lastId })
      return result
    },
    countWorkspaceChange(): void {
      workspaceChanges += 1
    },
  }
}

/** Returns the approximate memory usage of rows. */
export function rowBytes(rows: readonly Row[]): number {
  return rows.flatMap(row => Object.values(row)).reduce<number>((sum, value) => sum + valueBytes(value), 1)
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return 16 + 2 * value.length
  if (value instanceof Uint8Array) return 16 + value.byteLength
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + valueBytes(item), 16)
  return 16
}
