import type { FailureRow } from '../../../../shared/failure.ts'
import { maxFailureServices } from '../../common/list-limits.ts'
import type { Occurrences } from '../../common/metrics/count-occurrences.ts'
import type { FailureIndex } from '../../common/metrics/failure-index.ts'
import { routeOf } from '../../common/route-of.ts'
import { list, number, type Row, text, textOrNull } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import { eventsOf, type Source, segmentsWithIds } from '../sql/source.ts'
import { pairs } from '../sql/text-list.ts'
import { values } from './failure-id.ts'
import { readState, stateColumns } from './failure-state.ts'

const maxDigests = 5

/** See `FailureReader`. */
export async function describeFailures(
  source: Source,
  index: FailureIndex,
  occurrences: readonly Occurrences[],
): Promise<Map<string, FailureRow>> {
  if (occurrences.length === 0) return new Map()
  const fingerprints = occurrences.flatMap(({ id }) =>
    index.fingerprintsOf(id).map(fingerprint => [fingerprint, id] as const),
  )
  const rows = await withNewest(source, sql`(SELECT pair[1], pair[2] FROM ${pairs(fingerprints)})`)
  const rowOf = new Map(rows.map(row => [text(row.failure_id), row]))
  return new Map(
    occurrences.flatMap(({ id, count, sparkline }) => {
      const row = rowOf.get(id)
      if (row === undefined) return []
      const failure = {
        id,
        ...readState(row),
        type: text(row.type),
        message: text(row.message),
        route: routeOf(textOrNull(row.method), textOrNull(row.route)),
        release: textOrNull(row.release),
        digests: list(row.digests, text),
        digestCount: number(row.digest_count),
        services: list(row.services, text),
        serviceCount: number(row.service_count),
        count,
        firstSeenMs: number(row.first_us) / 1000,
        lastSeenMs: number(row.last_us) / 1000,
        sparkline,
      }
      return [[id, failure] as const]
    }),
  )
}

/**
 * Reads the type and message only from each failure's newest occurrence. Uses a browser error with a digest only if the
 * failure has no other occurrences, because the cause is on the server. Omits a failure if retention deletes the occurrence
 * between the queries.
 */
async function withNewest({ segments, queryCached, summary }: Source, fingerprints: Sql): Promise<Row[]> {
  const rows = await queryCached(
    sql`
    WITH combination AS MATERIALIZED (
      SELECT failure_id, digest, service, release, first_us, newest,
        {has_cause: source <> 'browser' OR digest IS NULL, newest: newest} AS described
      FROM ${await summary('failure_summary')} JOIN ${fingerprints} AS listed(fingerprint, failure_id) USING (fingerprint)
    ), digest_seen AS (
      SELECT failure_id, digest, max(newest) AS newest FROM combination WHERE digest IS NOT NULL GROUP BY ALL
    ), digests AS (
      SELECT failure_id, list(digest ORDER BY newest DESC)[:${maxDigests}] AS digests, count(*) AS digest_count
      FROM digest_seen GROUP BY ALL
    ), failure AS (
      SELECT failure_id, max(newest) AS newest, max(described) AS described, min(first_us) AS first_us,
        list_sort(list(DISTINCT service))[:${maxFailureServices}] AS services, count(DISTINCT service) AS service_count
      FROM combination GROUP BY failure_id
    )
    SELECT failure_id, first_us, newest.time_us AS last_us, described.newest.id AS newest_id,
      services, service_count, coalesce(digests, []) AS digests, coalesce(digest_count, 0) AS digest_count, ${stateColumns}
    FROM failure LEFT JOIN digests USING (failure_id)
    LEFT JOIN workspace.failure_state USING (failure_id)`,
    'failures',
  )
  const ids = rows.map(row => number(row.newest_id))
  const containing = segmentsWithIds(segments.all(), ids)
  if (containing.length === 0) return []
  const newest = await queryCached(
    sql`
    SELECT id, coalesce(exception_type, 'Error') AS type, coalesce(exception_message, body) AS message, method, route, release
    FROM ${eventsOf(containing)} WHERE id IN (${values(ids)})`,
    'failures',
  )
  const byId = new Map(newest.map(row => [row.id, row]))
  return rows.flatMap(row => {
    const event = byId.get(row.newest_id)
    return event === undefined ? [] : [{ ...row, ...event }]
  })
}
