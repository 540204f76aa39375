import { list, number, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { FailureGrouping, NewSignature } from '../../failure-grouping.ts'
import type { Database } from '../engine/database.ts'
import { failureId, failureIdOf } from './failure-id.ts'
import type { GroupingLock } from './grouping-lock.ts'
import { readFrames, writeFrames } from './signature-rows.ts'

export function createFailureGrouping({
  workspace: { execute },
  reading,
  withGroupingLock,
}: Pick<Database, 'workspace' | 'reading'> & GroupingLock): FailureGrouping {
  return {
    withoutSignature: limit =>
      reading(undefined, async ({ query, summary }) => {
        const missing = sql`
          SELECT fingerprint FROM workspace.failure_fingerprint
          WHERE follows IS NULL AND fingerprint NOT IN (SELECT fingerprint FROM workspace.failure_signature)`
        // Usually, every fingerprint has a signature. With 10 million events, reading the summary at each start would take
        // 75 MB of memory.
        if ((await query(sql`${missing} LIMIT 1`)).length === 0) return []
        const rows = await query(sql`
          SELECT fingerprint, max(newest).id AS event_id FROM ${await summary('failure_summary')}
          WHERE fingerprint IN (${missing})
          GROUP BY fingerprint ORDER BY max(newest) DESC LIMIT ${limit}`)
        return rows.map(row => ({ fingerprint: text(row.fingerprint), eventId: number(row.event_id) }))
      }),
    signatures: ({ service, subject }, limit) =>
      reading(undefined, async ({ query, summary }) => {
        const rows = await query(sql`
          WITH signature AS MATERIALIZED (
            FROM workspace.failure_signature WHERE service = ${service}
              AND ${subject === null ? sql`true` : sql`subject = ${subject}`}
            ORDER BY seen_ms DESC, fingerprint LIMIT ${limit}
          ), release AS (
            SELECT fingerprint, coalesce(release, '') AS release FROM ${await summary('failure_summary')}
              WHERE service = ${service} AND fingerprint IN (SELECT fingerprint FROM signature)
            UNION SELECT fingerprint, coalesce(release, '') FROM signature
          ), known AS (
            SELECT fingerprint, list(nullif(release, '') ORDER BY release) AS releases FROM release GROUP BY fingerprint
          )
          SELECT fingerprint, ${failureId} AS failure_id, subject, frames, releases,
            fingerprint IN (SELECT replaces FROM workspace.failure_signature WHERE replaces IS NOT NULL) AS is_replaced
          FROM signature JOIN known USING (fingerprint)
          LEFT JOIN workspace.failure_fingerprint USING (fingerprint)
          ORDER BY seen_ms DESC, fingerprint`)
        return rows.map(row => ({
          fingerprint: text(row.fingerprint),
          failureId: text(row.failure_id),
          subject: text(row.subject),
          frames: readFrames(text(row.frames)),
          releases: list(row.releases, value => textOrNull(value)),
          isReplaced: row.is_replaced === true,
        }))
      }),
    storeSignatures: (signatures, keep) =>
      withGroupingLock(() => execute(...signatures.flatMap(insert), prune(keep))),
  }
}

function insert({ fingerprint, service, release, subject, frames, seenMs, replaces }: NewSignature) {
  const signature = sql`
    INSERT INTO workspace.failure_signature VALUES (${fingerprint}, ${service}, ${release}, ${subject},
      ${writeFrames(frames)}, ${seenMs}, ${replaces})
    ON CONFLICT (fingerprint) DO UPDATE SET replaces = excluded.replaces`
  if (replaces === null) return [signature]
  const join = sql`
    INSERT INTO workspace.failure_fingerprint (fingerprint, failure_id, merged_from)
    SELECT ${fingerprint}, ${failureIdOf(replaces)},
      (SELECT merged_from FROM workspace.failure_fingerprint WHERE fingerprint = ${replaces})
    ON CONFLICT DO NOTHING`
  // Fingerprints can follow this one before it is known.
  const moveFollowers = sql`
    UPDATE workspace.failure_fingerprint SET failure_id = ${failureIdOf(fingerprint)} WHERE follows = ${fingerprint}`
  return [signature, join, moveFollowers]
}

function prune(keep: number) {
  return sql`
  DELETE FROM workspace.failure_signature WHERE fingerprint IN (
    SELECT fingerprint FROM workspace.failure_signature
    LEFT JOIN workspace.failure_fingerprint USING (fingerprint)
    LEFT JOIN workspace.failure_state USING (failure_id)
    ORDER BY frames = '[]', coalesce(state, 'open') = 'open', seen_ms DESC, fingerprint OFFSET ${keep})`
}
