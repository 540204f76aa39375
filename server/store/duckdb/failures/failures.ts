import { redacted } from '../../../../shared/event.ts'
import type { FailureImpact, FailureRow } from '../../../../shared/failure.ts'
import type { Window } from '../../../../shared/range.ts'
import { cut } from '../../common/cut.ts'
import { maxFailureReleases } from '../../common/list-limits.ts'
import type { KnownRelease } from '../../event-store.ts'
import type { FailureCounts, FailureQuery, FailureStore } from '../../failure-store.ts'
import { firstAttribute } from '../sql/attribute.ts'
import { number, text, textOrNull } from '../sql/rows.ts'
import { eventsOf, inWindow, type Source } from '../sql/source.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { hasDigest } from './digest.ts'
import { failureId, fingerprintsOf, isOneOf, values } from './failure-id.ts'
import { describeFailures } from './failure-metrics.ts'
import { isInState, stateOf } from './failure-state.ts'

const sorts: Readonly<Record<FailureQuery['sort'], Sql>> = {
  newest: sql`newest_us DESC, count DESC, failure_id`,
  frequent: sql`count DESC, newest_us DESC, failure_id`,
}

export async function failures(source: Source, query: FailureQuery): Promise<FailureRow[]> {
  const { window, bucketMs, sort, state, service, limit } = query
  const inState = state === null ? sql`true` : isInState(state)
  const ofService = service === null ? sql`true` : sql`service = ${service}`
  const occurrences = sql`(SELECT * FROM ${eventsOf(source.segments.overlapping(window))}
    WHERE fingerprint IS NOT NULL AND ${inWindow(window)} AND ${ofService} AND ${inState})`
  const rows = await source.query(sql`
    SELECT ${failureId} AS failure_id, sum(count)::BIGINT AS count, max(newest_us) AS newest_us
    FROM (SELECT fingerprint, count(*) AS count, max(time_us) AS newest_us FROM ${occurrences} GROUP BY fingerprint)
    LEFT JOIN workspace.failure_fingerprint USING (fingerprint)
    GROUP BY ALL ORDER BY ${sorts[sort]} LIMIT ${limit}`)
  const ids = rows.map(row => text(row.failure_id))
  const fingerprints = await fingerprintsOf(source, ids)
  const described = await describeFailures(source, fingerprints, occurrences, window, bucketMs)
  return ids.flatMap(id => {
    const row = described.get(id)
    return row === undefined ? [] : { ...row, message: cut(row.message) }
  })
}

export async function failure(
  source: Source,
  id: string,
  bucketMs: number,
  window: Window,
): Promise<FailureRow | null> {
  const fingerprints = await fingerprintsOf(source, [id])
  const occurrences = sql`(SELECT * FROM ${eventsOf(source.segments.overlapping(window))}
    WHERE ${isOneOf(fingerprints.keys())} AND ${inWindow(window)})`
  const described = await describeFailures(source, fingerprints, occurrences, window, bucketMs)
  return described.get(id) ?? null
}

export async function failureCounts({ segments, query }: Source, window: Window): Promise<FailureCounts> {
  const rows = await query(sql`
    SELECT coalesce(state, 'open') AS state, count(DISTINCT ${failureId}) AS failures,
      sum(count)::BIGINT AS occurrences
    FROM (SELECT fingerprint, count(*) AS count FROM ${eventsOf(segments.overlapping(window))}
      WHERE fingerprint IS NOT NULL AND ${inWindow(window)} GROUP BY fingerprint)
    LEFT JOIN workspace.failure_fingerprint USING (fingerprint)
    LEFT JOIN workspace.failure_state USING (failure_id) GROUP BY ALL`)
  const none = { failures: 0, occurrences: 0 }
  const counts: FailureCounts = { open: none, resolved: none, muted: none }
  for (const row of rows) {
    counts[stateOf(row.state)] = { failures: number(row.failures), occurrences: number(row.occurrences) }
  }
  return counts
}

export async function failureReleases(
  source: Source,
  id: string,
): ReturnType<FailureStore['failureReleases']> {
  const fingerprints = await fingerprintsOf(source, [id])
  const rows = await source.query(sql`
    SELECT release, sum(count)::BIGINT AS count, min(first_us) AS first_us, max(newest.time_us) AS last_us,
      count(*) OVER () AS total
    FROM ${await source.summary('failure_summary')} WHERE ${isOneOf(fingerprints.keys())}
    GROUP BY release ORDER BY max(newest) DESC LIMIT ${maxFailureReleases}`)
  const releases = rows.map(row => ({
    release: textOrNull(row.release),
    count: number(row.count),
    firstSeenMs: number(row.first_us) / 1000,
    lastSeenMs: number(row.last_us) / 1000,
  }))
  return { releases, omitted: number(rows[0]?.total ?? 0) - releases.length }
}

/** A visitor's request is one trace, regardless of how many services it passes through. */
const request = sql`coalesce(trace_id, request_id)`
/**
 * OpenTelemetry's `user.id` (https://opentelemetry.io/docs/specs/semconv/registry/attributes/user/), its former name, and
 * the usual name in pino logs.
 */
const user = firstAttribute(['user.id', 'enduser.id', 'userId'])

export async function failureImpact(source: Source, id: string): Promise<FailureImpact> {
  const { segments, query } = source
  const fingerprints = await fingerprintsOf(source, [id])
  const [row] = await query(sql`
    SELECT count(*) AS occurrences,
      count(DISTINCT request) AS requests, count(*) FILTER (WHERE request IS NULL) AS without_request,
      count(DISTINCT user) AS users, count(*) FILTER (WHERE user IS NULL) AS without_user
    FROM (SELECT ${request} AS request, nullif(${user}, ${redacted}) AS user
      FROM ${eventsOf(segments.all())} WHERE ${isOneOf(fingerprints.keys())})`)
  return {
    occurrences: number(row?.occurrences),
    requests: number(row?.requests),
    withoutRequest: number(row?.without_request),
    users: number(row?.users),
    withoutUser: number(row?.without_user),
  }
}

/** No one looks through more releases than this. */
const maxReleases = 5000

export async function releases(
  { summary, query }: Source,
  services: readonly string[],
): Promise<KnownRelease[]> {
  if (services.length === 0) return []
  const rows = await query(sql`
    SELECT service, release, min(first_us) AS first_us FROM ${await summary('service_summary')}
    WHERE release IS NOT NULL AND service IN (${values(services)})
    GROUP BY ALL ORDER BY first_us DESC, service, release LIMIT ${maxReleases}`)
  return rows.map(row => ({
    service: text(row.service),
    release: text(row.release),
    firstSeenMs: number(row.first_us) / 1000,
  }))
}

export async function failureOfDigest({ summary, query }: Source, digest: string): Promise<string | null> {
  const [row] = await query(sql`
    SELECT ${failureId} AS failure_id FROM (
      SELECT fingerprint FROM ${await summary('failure_summary')}
      WHERE digest IS NOT NULL AND ${hasDigest(digest)}
      ORDER BY source = 'browser', newest DESC LIMIT 1
    ) LEFT JOIN workspace.failure_fingerprint USING (fingerprint)`)
  return row === undefined ? null : text(row.failure_id)
}
