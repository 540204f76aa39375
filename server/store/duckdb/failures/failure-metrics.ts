import type { FailureRow } from '../../../../shared/failure.ts'
import type { Window } from '../../../../shared/range.ts'
import type { Row } from '../engine/connections.ts'
import { sparklines } from '../events/sparklines.ts'
import { list, number, text } from '../sql/rows.ts'
import { eventsOf, type Source } from '../sql/source.ts'
import { join, type Sql, sql } from '../sql/sql.ts'
import { readState, stateColumns } from './failure-state.ts'

const digestsShown = 5

/**
 * What is known of these failures over everything that is kept, by fingerprint; `occurrences` are those of the
 * window. One that no event has is left out.
 */
export async function describeFailures(
  source: Source,
  fingerprints: readonly string[],
  occurrences: Sql,
  window: Window,
  bucketMs: number,
): Promise<Map<string, FailureRow>> {
  if (fingerprints.length === 0) return new Map()
  const isListed = sql`fingerprint IN (${values(fingerprints)})`
  const all = sql`(SELECT * FROM ${eventsOf(source.segments.all())} WHERE ${isListed})`
  const [rows, sparklineOf] = await Promise.all([
    withNewest(source, all),
    sparklines(source, sql`(FROM ${occurrences} WHERE ${isListed})`, sql`fingerprint`, window, bucketMs),
  ])
  return new Map(
    rows.map(row => {
      const fingerprint = text(row.fingerprint)
      const sparkline = sparklineOf(fingerprint)
      const figures = {
        fingerprint,
        ...readState(row),
        type: text(row.type),
        message: text(row.message),
        digests: list(row.digests, text),
        services: list(row.services, text),
        releases: list(row.releases, text),
        count: sparkline.reduce((sum, count) => sum + count, 0),
        firstSeenMs: number(row.first_us) / 1000,
        lastSeenMs: number(row.last_us) / 1000,
        sparkline,
      }
      return [fingerprint, figures]
    }),
  )
}

/**
 * One pass over the occurrences for what they have in common, and more over those; type and message are read of
 * the newest occurrences alone.
 */
async function withNewest({ segments, ask }: Source, all: Sql): Promise<Row[]> {
  const rows = await ask(sql`
    WITH combination AS MATERIALIZED (
      SELECT fingerprint, digest, service, release, min(time_us) AS first_us, max((time_us, id)) AS newest
      FROM ${all} GROUP BY ALL
    ), digest_seen AS (
      SELECT fingerprint, digest, max(newest) AS newest FROM combination WHERE digest IS NOT NULL GROUP BY ALL
    ), digests AS (
      SELECT fingerprint, list(digest ORDER BY newest DESC)[:${digestsShown}] AS digests FROM digest_seen GROUP BY ALL
    ), failure AS (
      SELECT fingerprint, max(newest) AS newest, min(first_us) AS first_us,
        list_sort(list(DISTINCT service)) AS services,
        list_sort(coalesce(list(DISTINCT release) FILTER (WHERE release IS NOT NULL), [])) AS releases
      FROM combination GROUP BY fingerprint
    )
    SELECT fingerprint, first_us, struct_extract_at(newest, 1) AS last_us, struct_extract_at(newest, 2) AS newest_id,
      services, releases, coalesce(digests, []) AS digests, ${stateColumns}
    FROM failure LEFT JOIN digests USING (fingerprint)
    LEFT JOIN workspace.failure AS book USING (fingerprint)`)
  if (rows.length === 0) return []
  const newest = await ask(sql`
    SELECT id, coalesce(exception_type, 'Error') AS type, coalesce(exception_message, body) AS message
    FROM ${eventsOf(segments.all())} WHERE id IN (${values(rows.map(row => number(row.newest_id)))})`)
  const byId = new Map(newest.map(row => [row.id, row]))
  return rows.map(row => ({ ...row, ...byId.get(row.newest_id) }))
}

export function values(list: readonly (string | number)[]): Sql {
  return join(
    list.map(value => sql`${value}`),
    ', ',
  )
}
