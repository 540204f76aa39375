import { redacted } from '../../../../shared/event.ts'
import type { FailureImpact, FailureRow } from '../../../../shared/failure.ts'
import type { Window } from '../../../../shared/range.ts'
import { compareText } from '../../common/compare-text.ts'
import { bareDigest } from '../../common/digest.ts'
import { countByState, listDescribed } from '../../common/failure-list.ts'
import { readImpact, readReleases } from '../../common/failure-rows.ts'
import { maxFailureReleases, maxFailuresOfDigest, maxServices } from '../../common/list-limits.ts'
import { list, number, text } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import type { FailureCounts, FailureList, FailureQuery, FailureRelease } from '../../failure-store.ts'
import { failureIdOf, fingerprintsOf, stateOf } from '../../state/failure-ids.ts'
import {
  affectedUser,
  description,
  descriptionRank,
  digestsSeen,
  failedRequest,
  preferProjection,
  recency,
} from '../sql/expressions.ts'
import type { Source } from '../sql/source.ts'
import { textList } from '../sql/text-list.ts'
import {
  countOccurrences,
  describeFailures,
  noOccurrences,
  occurrences,
  readFailure,
} from './describe-failures.ts'
import { withoutSuffix } from './digest.ts'
import { failureId } from './failure-id.ts'

export async function failures(
  source: Omit<Source, 'serviceTimes'>,
  query: FailureQuery,
): Promise<FailureList> {
  const { select, read } = source
  const { window, bucketMs, service } = query
  const found = occurrences(source, { window, bucketMs, condition: sql`true` })
  const isCounted = service === null ? sql`true` : sql`service = ${service}`
  // A search for text needs the whole messages.
  const described = { condition: sql`true`, cutsMessages: query.text === null }
  const rows = await select(
    await read(
      state => sql`
        SELECT * FROM (${describeFailures(state, source, described)}) AS described
        JOIN (${countOccurrences(state, found, isCounted)}) AS counted USING (failure_id)`,
    ),
  )
  const ofService = rows.filter(row => number(row.count) > 0)
  const inService = await read(state => ofService.map(row => readFailure(state, row, window, bucketMs)))
  const services = new Set(rows.flatMap(row => list(row.services_in_window, text)))
  return { ...(await listDescribed(inService, query)), services: [...services].sort(compareText) }
}

export async function failureCounts(source: Source, window: Window): Promise<FailureCounts> {
  const id = await source.read(failureId)
  const counted = occurrences(source, { window, bucketMs: null, condition: sql`true` })
  const rows = await source.select(
    sql`SELECT ${id} AS failure_id, sum(events) AS count FROM ${counted} GROUP BY failure_id`,
  )
  return source.read(state =>
    countByState(
      rows.map(row => ({ state: stateOf(state, text(row.failure_id)), count: number(row.count) })),
    ),
  )
}

export async function failure(
  source: Source,
  idOrFingerprint: string,
  bucketMs: number,
  window: Window,
): Promise<FailureRow | null> {
  const condition = await ofFailure(source, idOrFingerprint)
  const found = occurrences(source, { window, bucketMs, condition })
  const { select, read } = source
  const [description, counts] = await read(
    state => [describeFailures(state, source, { condition }), countOccurrences(state, found)] as const,
  )
  // Two queries run at the same time, and take less time than a join.
  const [[described], [counted]] = await Promise.all([select(description), select(counts)])
  if (described === undefined) return null
  return read(
    state => readFailure(state, { ...noOccurrences, ...counted, ...described }, window, bucketMs).row,
  )
}

/** Selects the events of a failure. `id` may be any of its fingerprints. */
async function ofFailure({ read }: Pick<Source, 'read'>, id: string): Promise<Sql> {
  const fingerprints = await read(state => fingerprintsOf(state, failureIdOf(state, id)))
  return sql`fingerprint IN ${textList(fingerprints)}`
}

export async function failureServices(source: Source, id: string): Promise<string[]> {
  const rows = await source.select(sql`
    SELECT service ${source.events} AND ${await ofFailure(source, id)}
    GROUP BY service LIMIT ${maxServices} ${preferProjection('failures')}`)
  return rows.map(row => text(row.service)).sort(compareText)
}

export async function failureReleases(
  source: Source,
  id: string,
): Promise<{ releases: FailureRelease[]; omitted: number }> {
  const rows = await source.select(sql`
    SELECT release, count() AS count, min(time_us) AS first_us, max(time_us) AS last_us, count() OVER () AS total
    ${source.events} AND ${await ofFailure(source, id)}
    GROUP BY release ORDER BY max(${recency}) DESC LIMIT ${maxFailureReleases} ${preferProjection('failures')}`)
  return readReleases(rows)
}

export async function failureImpact(source: Source, id: string): Promise<FailureImpact> {
  const [row] = await source.select(sql`
    SELECT sum(events) AS occurrences,
      uniqExact(request) AS requests, sumIf(events, request IS NULL) AS without_request,
      uniqExact(nullIf(user_id, ${redacted}) AS user) AS users, sumIf(events, user IS NULL) AS without_user
    FROM (
      SELECT ${failedRequest} AS request, ${affectedUser} AS user_id, count() AS events
      ${source.events} AND ${await ofFailure(source, id)} GROUP BY request, user_id ${preferProjection('occurrences')}
    )`)
  return readImpact(row)
}

export async function failuresOfDigest({ select, read, events }: Source, digest: string): Promise<string[]> {
  const id = await read(failureId)
  // The projection contains the exception of only one event of each group, but other events of the group rarely differ.
  const rows = await select(sql`
    SELECT ${id} AS failure_id, max((source <> 'browser', has_exception, seen)) AS best
    FROM (
      SELECT fingerprint, source, ${digestsSeen} AS digests_seen,
        argMax(${description}, ${descriptionRank}).1 IS NOT NULL AS has_exception
      ${events} AND fingerprint IS NOT NULL GROUP BY fingerprint, source ${preferProjection('failures')}
    ) ARRAY JOIN digests_seen.1 AS digest, digests_seen.2 AS seen
    WHERE ${withoutSuffix} = ${bareDigest(digest)}
    GROUP BY failure_id ORDER BY best DESC LIMIT ${maxFailuresOfDigest}`)
  return rows.map(row => text(row.failure_id))
}
