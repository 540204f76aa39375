import { cut } from '../../common/cut.ts'
import { list, number, text, textOrNull } from '../../common/rows.ts'
import { splitPart } from '../../common/split-part.ts'
import { type Sql, sql } from '../../common/sql.ts'
import type { ManualGrouping, StoredFingerprint } from '../../failure-grouping.ts'
import type { Database } from '../engine/database.ts'
import { eventsOf, type Source } from '../sql/source.ts'
import { failureIdOf, findFailureId, isOneOf, values } from './failure-id.ts'
import { markKnown } from './failure-scan.ts'
import type { GroupingLock } from './grouping-lock.ts'
import { mergeFailures } from './merge-failures.ts'
import { readFrames } from './signature-rows.ts'

const maxReleases = 5

export function createManualGrouping({
  workspace: { query, execute },
  reading,
  withGroupingLock,
}: Pick<Database, 'workspace' | 'reading'> & GroupingLock): ManualGrouping {
  const exists = async (condition: Sql) => {
    const [row] = await query(sql`SELECT EXISTS (${condition}) AS found`)
    return row?.found === true
  }
  return {
    fingerprints: (id, limit, signal) => reading(signal, source => storedFingerprints(source, id, limit)),
    merge: (id, into) =>
      mergeFailures({ query, execute, withGroupingLock }, id, into, (from, to) => [
        sql`DELETE FROM workspace.failure_split WHERE ${isSplit(from, to)}`,
        sql`UPDATE workspace.failure_state SET after_id = greatest(after_id, last_id) FROM workspace.progress
          WHERE failure_id = ${to} AND state = 'resolved' AND reader = 'failures'`,
        sql`UPDATE workspace.failure_fingerprint SET failure_id = ${to},
            merged_from = CASE WHEN follows IS NULL THEN coalesce(merged_from, ${from}) END
          WHERE failure_id = ${from}`,
      ]),
    split: fingerprint =>
      withGroupingLock(async () => {
        const failureId = await findFailureId({ query }, fingerprint)
        if (failureId === fingerprint) return null
        const rows = await query(sql`SELECT fingerprint, merged_from FROM workspace.failure_fingerprint
          WHERE failure_id = ${failureId} AND follows IS NULL`)
        const stored = await reading(undefined, source => withEvents(source, failureId))
        if (!stored.has(fingerprint) || stored.size < 2) return null
        const others = rows.filter(row => row.fingerprint !== failureId)
        const mergedFrom = new Map(others.map(row => [text(row.fingerprint), textOrNull(row.merged_from)]))
        const part = splitPart(fingerprint, mergedFrom, stored)
        await execute(
          markKnown([failureId]),
          sql`UPDATE workspace.failure_fingerprint SET failure_id = ${part.id}, merged_from = NULL
          WHERE ${isOneOf(part.fingerprints)} OR follows IN (${values(part.fingerprints)})`,
          sql`UPDATE workspace.failure_signature SET replaces = NULL WHERE ${isOneOf(part.fingerprints)}`,
          sql`INSERT INTO workspace.failure_split VALUES (${part.id}, ${failureId}) ON CONFLICT DO NOTHING`,
        )
        return part.id
      }),
    isSplit: async (a, b) => {
      const [one, other] = [await findFailureId({ query }, a), await findFailureId({ query }, b)]
      return exists(sql`FROM workspace.failure_split WHERE ${isSplit(one, other)}`)
    },
    isMerged: fingerprint =>
      exists(sql`FROM workspace.failure_fingerprint
        WHERE failure_id = ${failureIdOf(fingerprint)} AND merged_from IS NOT NULL`),
  }
}

/** Returns a condition that is true for splits between two failures. */
function isSplit(id: string, otherId: string): Sql {
  const fingerprintsOf = (failureId: string) =>
    sql`(SELECT fingerprint FROM workspace.failure_fingerprint WHERE failure_id = ${failureId})`
  return sql`((fingerprint IN ${fingerprintsOf(id)} AND other IN ${fingerprintsOf(otherId)})
    OR (fingerprint IN ${fingerprintsOf(otherId)} AND other IN ${fingerprintsOf(id)}))`
}

/** The fingerprint that an event's fingerprint follows, or itself. Requires a left join on the fingerprint. */
const followed = sql`coalesce(follows, fingerprint)`

/** Returns the fingerprints of a failure for which events are stored, including events of fingerprints that follow them. */
async function withEvents({ query, summary, failureIndex }: Source, failureId: string): Promise<Set<string>> {
  const fingerprints = (await failureIndex()).fingerprintsOf(failureId)
  const rows = await query(sql`
    SELECT DISTINCT ${followed} AS fingerprint FROM ${await summary('failure_summary')}
    LEFT JOIN workspace.failure_fingerprint USING (fingerprint) WHERE ${isOneOf(fingerprints)}`)
  return new Set(rows.map(row => text(row.fingerprint)))
}

async function storedFingerprints(
  source: Source,
  id: string,
  limit: number,
): Promise<{ fingerprints: StoredFingerprint[]; total: number }> {
  const { queryCached, segments, summary, failureIndex } = source
  const none = { fingerprints: [], total: 0 }
  const fingerprints = (await failureIndex()).fingerprintsOf(id)
  // Most failures have one fingerprint, and their pages need no query.
  if (fingerprints.length < 2) return none
  const rows = await queryCached(
    sql`
    WITH release AS (
      SELECT ${followed} AS fingerprint, release, sum(count)::BIGINT AS count, max(newest) AS newest,
        max({has_cause: source <> 'browser' OR digest IS NULL, newest: newest}) AS described
      FROM ${await summary('failure_summary')} LEFT JOIN workspace.failure_fingerprint USING (fingerprint)
      WHERE ${isOneOf(fingerprints)} GROUP BY ALL
    ), seen AS (
      SELECT fingerprint, sum(count)::BIGINT AS count, max(newest) AS newest, max(described) AS described,
        count(release) AS release_count,
        coalesce(list(release ORDER BY newest DESC) FILTER (WHERE release IS NOT NULL), [])[:${maxReleases}] AS releases
      FROM release GROUP BY fingerprint
    )
    SELECT fingerprint, count, described.newest.id AS described_id, newest.time_us AS last_us, release_count, releases,
      frames, count(*) OVER () AS total
    FROM seen LEFT JOIN workspace.failure_signature USING (fingerprint)
    ORDER BY newest DESC LIMIT ${limit}`,
    'failures',
  )
  const total = number(rows[0]?.total ?? 0)
  if (total < 2) return none
  const newest = await queryCached(
    sql`
    SELECT id, coalesce(exception_type, 'Error') AS type, coalesce(exception_message, body) AS message
    FROM ${eventsOf(segments.all())} WHERE id IN (${values(rows.map(row => number(row.described_id)))})`,
    'failures',
  )
  const eventOf = new Map(newest.map(row => [number(row.id), row]))
  const described = rows.flatMap(row => {
    const event = eventOf.get(number(row.described_id))
    if (event === undefined) return []
    const [topFrame = null] = row.frames === null ? [] : readFrames(text(row.frames))
    return {
      fingerprint: text(row.fingerprint),
      type: text(event.type),
      message: cut(text(event.message)),
      topFrame,
      count: number(row.count),
      releases: list(row.releases, text),
      releaseCount: number(row.release_count),
      lastSeenMs: number(row.last_us) / 1000,
    }
  })
  return { fingerprints: described, total }
}
