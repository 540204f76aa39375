import type { FailureImpact } from '../../../../shared/failure.ts'
import { compareText } from '../../common/compare-text.ts'
import { readImpact, readReleases } from '../../common/failure-rows.ts'
import { maxFailureReleases, maxFailuresOfDigest, maxServices } from '../../common/list-limits.ts'
import { text } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { FailureStore } from '../../failure-store.ts'
import type { Source } from '../sql/source.ts'
import { hasDigest } from './digest.ts'
import { failureId, isOneOf } from './failure-id.ts'

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
