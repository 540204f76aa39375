import { digestSuffix } from '../../common/digest.ts'
import { readPosition } from '../../common/position.ts'
import { number, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { FailureDigests } from '../../failure-digests.ts'
import type { Database } from '../engine/database.ts'
import { eventsOf } from '../sql/source.ts'
import { pairs, textList } from '../sql/text-list.ts'
import type { GroupingLock } from './grouping-lock.ts'

const bareDigest = sql`regexp_replace(digest, ${digestSuffix}, '')`

export function createFailureDigests({
  segments,
  workspace,
  reading,
  withGroupingLock,
}: Pick<Database, 'segments' | 'workspace' | 'reading'> & GroupingLock): FailureDigests {
  return {
    async scanned(position) {
      const [lastId = 0] = readPosition(position) ?? []
      const [progress] = await workspace.query(
        sql`SELECT last_id FROM workspace.progress WHERE reader = 'failures'`,
      )
      const afterId = progress === undefined ? lastId : number(progress.last_id)
      const newer = segments.all().filter(segment => segment.lastId > afterId)
      if (newer.length === 0) return []
      const rows = await reading(undefined, ({ query }) =>
        query(sql`
          SELECT DISTINCT ${bareDigest} AS digest, fingerprint, source = 'browser' AS from_browser,
            CASE WHEN source = 'browser' AND exception_stack IS NULL THEN exception_message END AS message
          FROM ${eventsOf(newer)}
          WHERE id > ${afterId} AND id <= ${lastId} AND fingerprint IS NOT NULL AND digest IS NOT NULL`),
      )
      return rows.map(row => ({
        digest: text(row.digest),
        fingerprint: text(row.fingerprint),
        isFromBrowser: row.from_browser === true,
        message: textOrNull(row.message),
      }))
    },
    async serverFingerprints(digests) {
      if (digests.length === 0) return new Map()
      const rows = await reading(undefined, async ({ query, summary }) =>
        query(sql`
          SELECT ${bareDigest} AS digest, arg_max(fingerprint, {has_exception: has_exception, newest: newest}) AS fingerprint
          FROM ${await summary('failure_summary')}
          WHERE source <> 'browser' AND digest IS NOT NULL AND ${bareDigest} IN ${textList(digests)}
          GROUP BY ALL`),
      )
      return new Map(rows.map(row => [text(row.digest), text(row.fingerprint)]))
    },
    async followed(fingerprints) {
      const rows = await workspace.query(sql`
        SELECT fingerprint, follows FROM workspace.failure_fingerprint
        WHERE fingerprint IN ${textList(fingerprints)}`)
      return new Map(rows.map(row => [text(row.fingerprint), textOrNull(row.follows)]))
    },
    follow: fingerprints =>
      withGroupingLock(() =>
        workspace.execute(sql`
          INSERT INTO workspace.failure_fingerprint (fingerprint, failure_id, follows)
          SELECT pair[1], coalesce(failure_id, pair[2]), pair[2] FROM ${pairs([...fingerprints])}
          LEFT JOIN workspace.failure_fingerprint ON fingerprint = pair[2]
          ON CONFLICT (fingerprint) DO UPDATE SET failure_id = excluded.failure_id, follows = excluded.follows
          WHERE failure_fingerprint.follows IS NOT NULL`),
      ),
    forgetUnused: () =>
      withGroupingLock(async () => {
        const following = sql`FROM workspace.failure_fingerprint WHERE follows IS NOT NULL`
        if ((await workspace.query(sql`SELECT 1 ${following} LIMIT 1`)).length === 0) return
        const rows = await reading(undefined, async ({ query, summary }) =>
          query(sql`
            SELECT fingerprint ${following} AND fingerprint NOT IN (
              SELECT fingerprint FROM ${await summary('failure_summary')})`),
        )
        const unused = rows.map(row => text(row.fingerprint))
        await workspace.execute(
          sql`DELETE FROM workspace.failure_fingerprint WHERE fingerprint IN ${textList(unused)}`,
        )
      }),
  }
}
