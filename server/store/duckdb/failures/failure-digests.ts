import { digestSuffix } from '../../common/digest.ts'
import { readPosition } from '../../common/position.ts'
import { number, text } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { FailureDigests } from '../../failure-digests.ts'
import type { Database } from '../engine/database.ts'
import { eventsOf } from '../sql/source.ts'
import { textList } from '../sql/text-list.ts'
import { failureId, failureIdOf } from './failure-id.ts'

const bareDigest = sql`regexp_replace(digest, ${digestSuffix}, '')`

export function createFailureDigests({
  segments,
  workspace,
  reading,
}: Pick<Database, 'segments' | 'workspace' | 'reading'>): FailureDigests {
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
          SELECT DISTINCT ${bareDigest} AS digest, fingerprint, source = 'browser' AS from_browser
          FROM ${eventsOf(newer)}
          WHERE id > ${afterId} AND id <= ${lastId} AND fingerprint IS NOT NULL AND digest IS NOT NULL`),
      )
      return rows.map(row => ({
        digest: text(row.digest),
        fingerprint: text(row.fingerprint),
        isFromBrowser: row.from_browser === true,
      }))
    },
    async serverFailures(digests) {
      const rows = await reading(undefined, async ({ query, summary }) =>
        query(sql`
          SELECT digest, ${failureId} AS failure_id FROM (
            SELECT ${bareDigest} AS digest, arg_max(fingerprint, {has_exception: has_exception, newest: newest}) AS fingerprint
            FROM ${await summary('failure_summary')}
            WHERE source <> 'browser' AND digest IS NOT NULL AND ${bareDigest} IN ${textList(digests)}
            GROUP BY ALL
          ) LEFT JOIN workspace.failure_fingerprint USING (fingerprint)`),
      )
      return new Map(rows.map(row => [text(row.digest), text(row.failure_id)]))
    },
    async failureIds(fingerprints) {
      const rows = await workspace.query(sql`
        SELECT fingerprint, failure_id FROM workspace.failure_fingerprint
        WHERE fingerprint IN ${textList(fingerprints)}`)
      return new Map(rows.map(row => [text(row.fingerprint), text(row.failure_id)]))
    },
    add: (fingerprint, id) =>
      workspace.execute(sql`
        INSERT INTO workspace.failure_fingerprint (fingerprint, failure_id)
        SELECT ${fingerprint}, ${failureIdOf(id)} ON CONFLICT DO NOTHING`),
  }
}
