import type { FailureImpact, FailureRow } from '../../../../shared/failure.ts'
import type { Window } from '../../../../shared/range.ts'
import { bucketCount } from '../../buckets.ts'
import { compareText } from '../../common/compare-text.ts'
import { countByState, listFailures } from '../../common/failure-list.ts'
import { readImpact, readReleases } from '../../common/failure-rows.ts'
import { maxFailureReleases, maxFailuresOfDigest, maxServices } from '../../common/list-limits.ts'
import { text } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { FailureCounts, FailureList, FailureQuery, FailureStore } from '../../failure-store.ts'
import type { Source } from '../sql/source.ts'
import { countOccurrences, noOccurrences } from './count-occurrences.ts'
import { describeFailures } from './describe-failures.ts'
import { hasDigest } from './digest.ts'
import { failureId, isOneOf } from './failure-id.ts'

export async function failures(source: Source, query: FailureQuery): Promise<FailureList> {
  const { window, bucketMs, service } = query
  const index = await source.failureIndex()
  const services = new Set<string>()
  const occurrences = await countOccurrences(source, window, bucketMs, group => {
    if (services.size < maxServices) services.add(group.service)
    return service === null || group.service === service
  })
  const found = Array.from(occurrences.values(), each => ({
    ...each,
    state: index.stateOf(each.id),
    newestMs: each.newestUs / 1000,
  }))
  return {
    ...(await listFailures(found, query, listed => describeFailures(source, index, listed))),
    services: [...services].sort(compareText),
  }
}

export async function failure(
  source: Source,
  idOrFingerprint: string,
  bucketMs: number,
  window: Window,
): Promise<FailureRow | null> {
  const index = await source.failureIndex()
  const id = index.failureIdOf(idOrFingerprint)
  const isOfFailure = ({ fingerprint }: { fingerprint: string }) => index.failureIdOf(fingerprint) === id
  const found = await countOccurrences(source, window, bucketMs, isOfFailure)
  const occurrences = found.get(id) ?? noOccurrences(id, bucketCount(window, bucketMs))
  return (await describeFailures(source, index, [occurrences])).get(id) ?? null
}

export async function failureCounts(source: Source, window: Window): Promise<FailureCounts> {
  const index = await source.failureIndex()
  const lengthMs = Math.max(window.toMs - window.fromMs, 1)
  const found = await countOccurrences(source, window, lengthMs, () => true)
  return countByState(Array.from(found.values(), ({ id, count }) => ({ state: index.stateOf(id), count })))
}

export async function failureServices(source: Source, id: string): Promise<string[]> {
  const index = await source.failureIndex()
  const rows = await source.queryCached(
    sql`SELECT DISTINCT service FROM ${await source.summary('failure_summary')}
      WHERE ${isOneOf(index.fingerprintsOf(id))} LIMIT ${maxServices}`,
    'failures',
  )
  return rows.map(row => text(row.service)).sort(compareText)
}

export async function failureReleases(
  source: Source,
  id: string,
): ReturnType<FailureStore['failureReleases']> {
  const index = await source.failureIndex()
  const rows = await source.queryCached(
    sql`
    SELECT release, sum(count)::BIGINT AS count, min(first_us) AS first_us, max(newest.time_us) AS last_us,
      count(*) OVER () AS total
    FROM ${await source.summary('failure_summary')} WHERE ${isOneOf(index.fingerprintsOf(id))}
    GROUP BY release ORDER BY max(newest) DESC LIMIT ${maxFailureReleases}`,
    'failures',
  )
  return readReleases(rows)
}

export async function failureImpact(source: Source, id: string): Promise<FailureImpact> {
  const index = await source.failureIndex()
  const [row] = await source.queryCached(
    sql`
    WITH part AS MATERIALIZED (
      FROM ${await source.summary('impact_summary')} WHERE ${isOneOf(index.fingerprintsOf(id))}
    )
    SELECT coalesce(sum(count), 0)::BIGINT AS occurrences,
      coalesce(sum(without_request), 0)::BIGINT AS without_request,
      coalesce(sum(without_user), 0)::BIGINT AS without_user,
      (SELECT count(DISTINCT request) FROM (SELECT unnest(requests) AS request FROM part)) AS requests,
      (SELECT count(DISTINCT user_id) FROM (SELECT unnest(users) AS user_id FROM part)) AS users
    FROM part`,
    'failures',
  )
  return readImpact(row)
}

export async function failuresOfDigest({ summary, queryCached }: Source, digest: string): Promise<string[]> {
  const rows = await queryCached(
    sql`
    SELECT failure_id FROM (
      SELECT ${failureId} AS failure_id,
        {is_from_server: source <> 'browser', has_exception: has_exception, newest: newest} AS rank
      FROM ${await summary('failure_summary')} LEFT JOIN workspace.failure_fingerprint USING (fingerprint)
      WHERE digest IS NOT NULL AND fingerprint IS NOT NULL AND ${hasDigest(digest)}
    )
    GROUP BY failure_id ORDER BY max(rank) DESC LIMIT ${maxFailuresOfDigest}`,
    'failures',
  )
  return rows.map(row => text(row.failure_id))
}
