import { redacted } from '../../../../shared/event.ts'
import type { FailureReach, FailureRow } from '../../../../shared/failure.ts'
import type { Window } from '../../../../shared/range.ts'
import { cut } from '../../common/cut.ts'
import type { KnownRelease } from '../../event-store.ts'
import type { FailureCounts, FailureQuery, FailureRelease } from '../../failure-store.ts'
import { firstAttribute } from '../sql/attribute.ts'
import { number, text, textOrNull } from '../sql/rows.ts'
import { eventsOf, inWindow, type Source } from '../sql/source.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { hasDigest } from './digest.ts'
import { describeFailures, values } from './failure-metrics.ts'
import { isInState, stateOf } from './failure-state.ts'

const sorts: Readonly<Record<FailureQuery['sort'], Sql>> = {
  newest: sql`max(time_us) DESC, count DESC, fingerprint`,
  frequent: sql`count DESC, max(time_us) DESC, fingerprint`,
}

export async function failures(source: Source, question: FailureQuery): Promise<FailureRow[]> {
  const { window, bucketMs, sort, state, service, limit } = question
  const inState = state === null ? sql`true` : isInState(state)
  const ofService = service === null ? sql`true` : sql`service = ${service}`
  const occurrences = sql`(SELECT * FROM ${eventsOf(source.segments.overlapping(window))}
    WHERE fingerprint IS NOT NULL AND ${inWindow(window)} AND ${ofService} AND ${inState})`
  const rows = await source.ask(sql`
    SELECT fingerprint, count(*) AS count FROM ${occurrences}
    GROUP BY fingerprint ORDER BY ${sorts[sort]} LIMIT ${limit}`)
  const fingerprints = rows.map(row => text(row.fingerprint))
  const figures = await describeFailures(source, fingerprints, occurrences, window, bucketMs)
  return fingerprints.flatMap(fingerprint => {
    const row = figures.get(fingerprint)
    return row === undefined ? [] : { ...row, message: cut(row.message) }
  })
}

export async function failure(
  source: Source,
  fingerprint: string,
  bucketMs: number,
  window: Window,
): Promise<FailureRow | null> {
  const occurrences = sql`(SELECT * FROM ${eventsOf(source.segments.overlapping(window))}
    WHERE fingerprint = ${fingerprint} AND ${inWindow(window)})`
  const figures = await describeFailures(source, [fingerprint], occurrences, window, bucketMs)
  return figures.get(fingerprint) ?? null
}

export async function failureCounts({ segments, ask }: Source, window: Window): Promise<FailureCounts> {
  const rows = await ask(sql`
    SELECT coalesce(state, 'open') AS state, count(*) AS failures, sum(count)::BIGINT AS occurrences
    FROM (SELECT fingerprint, count(*) AS count FROM ${eventsOf(segments.overlapping(window))}
      WHERE fingerprint IS NOT NULL AND ${inWindow(window)} GROUP BY fingerprint)
    LEFT JOIN workspace.failure USING (fingerprint) GROUP BY ALL`)
  const none = { failures: 0, occurrences: 0 }
  const counts: FailureCounts = { open: none, resolved: none, muted: none }
  for (const row of rows) {
    counts[stateOf(row.state)] = { failures: number(row.failures), occurrences: number(row.occurrences) }
  }
  return counts
}

export async function failureReleases(
  { segments, ask }: Source,
  fingerprint: string,
): Promise<FailureRelease[]> {
  const rows = await ask(sql`
    SELECT release, count(*) AS count, min(time_us) AS first_us, max(time_us) AS last_us
    FROM ${eventsOf(segments.all())} WHERE fingerprint = ${fingerprint} GROUP BY release ORDER BY last_us DESC, max(id) DESC`)
  return rows.map(row => ({
    release: textOrNull(row.release),
    count: number(row.count),
    firstSeenMs: number(row.first_us) / 1000,
    lastSeenMs: number(row.last_us) / 1000,
  }))
}

/** A trace is one thing that a visitor asked for, however many services it went through. */
const request = sql`coalesce(trace_id, request_id)`
/** https://opentelemetry.io/docs/specs/semconv/registry/attributes/user/, its older name, and what pino's users write. */
const user = firstAttribute(['user.id', 'enduser.id', 'userId'])

export async function failureReach({ segments, ask }: Source, fingerprint: string): Promise<FailureReach> {
  const [row] = await ask(sql`
    SELECT count(*) AS occurrences,
      count(DISTINCT request) AS requests, count(*) FILTER (WHERE request IS NULL) AS without_request,
      count(DISTINCT user) AS users, count(*) FILTER (WHERE user IS NULL) AS without_user
    FROM (SELECT ${request} AS request, nullif(${user}, ${redacted}) AS user
      FROM ${eventsOf(segments.all())} WHERE fingerprint = ${fingerprint})`)
  return {
    occurrences: number(row?.occurrences),
    requests: number(row?.requests),
    withoutRequest: number(row?.without_request),
    users: number(row?.users),
    withoutUser: number(row?.without_user),
  }
}

/** Above every number of releases that a person looks through. */
const mostReleases = 5000

export async function releases(
  { segments, ask }: Source,
  services: readonly string[],
): Promise<KnownRelease[]> {
  if (services.length === 0) return []
  const rows = await ask(sql`
    SELECT service, release, min(time_us) AS first_us FROM ${eventsOf(segments.all())}
    WHERE release IS NOT NULL AND service IN (${values(services)})
    GROUP BY ALL ORDER BY first_us DESC, service, release LIMIT ${mostReleases}`)
  return rows.map(row => ({
    service: text(row.service),
    release: text(row.release),
    firstSeenMs: number(row.first_us) / 1000,
  }))
}

export async function fingerprintOfDigest({ segments, ask }: Source, digest: string): Promise<string | null> {
  const [row] = await ask(sql`
    SELECT fingerprint FROM ${eventsOf(segments.all())}
    WHERE digest IS NOT NULL AND fingerprint IS NOT NULL AND ${hasDigest(digest)}
    ORDER BY source = 'browser', time_us DESC, id DESC LIMIT 1`)
  return row === undefined ? null : text(row.fingerprint)
}
