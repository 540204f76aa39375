import { redacted } from '../../../../shared/event.ts'
import type { FailureImpact } from '../../../../shared/failure.ts'
import { compareText } from '../../common/compare-text.ts'
import { readImpact, readReleases } from '../../common/failure-rows.ts'
import { maxFailureReleases, maxServices } from '../../common/list-limits.ts'
import { text } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import type { FailureRelease } from '../../failure-store.ts'
import { failureIdOf, fingerprintsOf } from '../../state/failure-ids.ts'
import { affectedUser, failedRequest, preferProjection, recency } from '../sql/expressions.ts'
import type { Source } from '../sql/source.ts'
import { textList } from '../sql/text-list.ts'

/** Selects the events of a failure. `id` may be any of its fingerprints. */
async function ofFailure({ read }: Pick<Source, 'read'>, id: string): Promise<Sql> {
  const fingerprints = await read(state => fingerprintsOf(state, failureIdOf(state, id)))
  return sql`fingerprint IN ${textList(fingerprints)}`
}

export async function failureServices(source: Source, id: string): Promise<string[]> {
  const rows = await source.selectOfFailures(sql`
    SELECT service ${source.events} AND ${await ofFailure(source, id)}
    GROUP BY service LIMIT ${maxServices} ${preferProjection('failures')}`)
  return rows.map(row => text(row.service)).sort(compareText)
}

export async function failureReleases(
  source: Source,
  id: string,
): Promise<{ releases: FailureRelease[]; omitted: number }> {
  const rows = await source.selectOfFailures(sql`
    SELECT release, count() AS count, min(time_us) AS first_us, max(time_us) AS last_us, count() OVER () AS total
    ${source.events} AND ${await ofFailure(source, id)}
    GROUP BY release ORDER BY max(${recency}) DESC LIMIT ${maxFailureReleases} ${preferProjection('failures')}`)
  return readReleases(rows)
}

export async function failureImpact(source: Source, id: string): Promise<FailureImpact> {
  const [row] = await source.selectOfFailures(sql`
    SELECT sum(events) AS occurrences,
      uniqExact(request) AS requests, sumIf(events, request IS NULL) AS without_request,
      uniqExact(nullIf(user_id, ${redacted}) AS user) AS users, sumIf(events, user IS NULL) AS without_user
    FROM (
      SELECT ${failedRequest} AS request, ${affectedUser} AS user_id, count() AS events
      ${source.events} AND ${await ofFailure(source, id)} GROUP BY request, user_id ${preferProjection('occurrences')}
    )`)
  return readImpact(row)
}
