import type { FailureRow } from '../../../../shared/failure.ts'
import type { Window } from '../../../../shared/range.ts'
import { maxFailureServices } from '../../common/list-limits.ts'
import type { Row } from '../engine/connections.ts'
import { sparklines } from '../events/sparklines.ts'
import { list, number, text } from '../sql/rows.ts'
import { eventsOf, type Source } from '../sql/source.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { failureId, isOneOf, values } from './failure-id.ts'
import { readState, stateColumns } from './failure-state.ts'

const maxDigests = 5

/**
 * Returns the rows of failures, by failure id. Omits failures without stored events.
 * @param fingerprints maps each fingerprint of the failures to its failure id
 * @param occurrences the events in the window
 */
export async function describeFailures(
  source: Source,
  fingerprints: ReadonlyMap<string, string>,
  occurrences: Sql,
  window: Window,
  bucketMs: number,
): Promise<Map<string, FailureRow>> {
  if (fingerprints.size === 0) return new Map()
  const isListed = isOneOf(fingerprints.keys())
  const [rows, sparklineOf] = await Promise.all([
    withNewest(source, isListed),
    sparklines(source, sql`(FROM ${occurrences} WHERE ${isListed})`, sql`fingerprint`, window, bucketMs),
  ])
  const sparklineOfFailure = sumByFailure(fingerprints, sparklineOf)
  return new Map(
    rows.map(row => {
      const id = text(row.failure_id)
      const sparkline = sparklineOfFailure.get(id) ?? []
      const failure = {
        id,
        ...readState(row),
        type: text(row.type),
        message: text(row.message),
        digests: list(row.digests, text),
        services: list(row.services, text),
        serviceCount: number(row.service_count),
        count: sparkline.reduce((sum, count) => sum + count, 0),
        firstSeenMs: number(row.first_us) / 1000,
        lastSeenMs: number(row.last_us) / 1000,
        sparkline,
      }
      return [id, failure]
    }),
  )
}

/** Reads the type and message only from each failure's newest occurrence. */
async function withNewest({ segments, query, summary }: Source, isListed: Sql): Promise<Row[]> {
  const rows = await query(sql`
    WITH combination AS MATERIALIZED (
      SELECT ${failureId} AS failure_id, digest, service, release, first_us, newest
      FROM (FROM ${await summary('failure_summary')} WHERE ${isListed})
      LEFT JOIN workspace.failure_fingerprint USING (fingerprint)
    ), digest_seen AS (
      SELECT failure_id, digest, max(newest) AS newest FROM combination WHERE digest IS NOT NULL GROUP BY ALL
    ), digests AS (
      SELECT failure_id, list(digest ORDER BY newest DESC)[:${maxDigests}] AS digests FROM digest_seen GROUP BY ALL
    ), failure AS (
      SELECT failure_id, max(newest) AS newest, min(first_us) AS first_us,
        list_sort(list(DISTINCT service))[:${maxFailureServices}] AS services, count(DISTINCT service) AS service_count
      FROM combination GROUP BY failure_id
    )
    SELECT failure_id, first_us, newest.time_us AS last_us, newest.id AS newest_id,
      services, service_count, coalesce(digests, []) AS digests, ${stateColumns}
    FROM failure LEFT JOIN digests USING (failure_id)
    LEFT JOIN workspace.failure_state USING (failure_id)`)
  if (rows.length === 0) return []
  const ids = rows.map(row => number(row.newest_id))
  const withIds = segments
    .all()
    .filter(({ firstId, lastId }) => ids.some(id => id >= firstId && id <= lastId))
  const newest = await query(sql`
    SELECT id, coalesce(exception_type, 'Error') AS type, coalesce(exception_message, body) AS message
    FROM ${eventsOf(withIds)} WHERE id IN (${values(ids)})`)
  const byId = new Map(newest.map(row => [row.id, row]))
  return rows.map(row => ({ ...row, ...byId.get(row.newest_id) }))
}

function sumByFailure(
  fingerprints: ReadonlyMap<string, string>,
  sparklineOf: (fingerprint: string) => number[],
): Map<string, number[]> {
  const sums = new Map<string, number[]>()
  for (const [fingerprint, id] of fingerprints) {
    const sum = sums.get(id)
    sums.set(
      id,
      sparklineOf(fingerprint).map((count, index) => count + (sum?.[index] ?? 0)),
    )
  }
  return sums
}
