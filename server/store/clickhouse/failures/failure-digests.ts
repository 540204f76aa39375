import { readPosition } from '../../common/position.ts'
import { number, text } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { FailureDigests } from '../../failure-digests.ts'
import { failureDigestsOf } from '../../state/failure-digests.ts'
import { failureIdOf } from '../../state/failure-ids.ts'
import type { Engine } from '../engine/engine.ts'
import { recency } from '../sql/expressions.ts'
import { between } from '../sql/positions.ts'
import { textList } from '../sql/text-list.ts'
import { withoutSuffix } from './digest.ts'

export function failureDigests({ select, access }: Engine): FailureDigests {
  return {
    ...failureDigestsOf(access),
    async scanned(position) {
      const upTo = readPosition(position) ?? []
      const after = await access(({ progress }) => readPosition(progress.get('failures') ?? '') ?? upTo)
      const unread = between(after, upTo)
      if (unread === null) return []
      const rows = await select(sql`
        SELECT DISTINCT ${withoutSuffix} AS bare_digest, fingerprint, source = 'browser' AS is_from_browser
        FROM event
        WHERE ${unread} AND digest IS NOT NULL AND fingerprint IS NOT NULL`)
      return rows.map(row => ({
        digest: text(row.bare_digest),
        fingerprint: text(row.fingerprint),
        isFromBrowser: number(row.is_from_browser) === 1,
      }))
    },
    async serverFailures(digests) {
      if (digests.length === 0) return new Map()
      const rows = await select(sql`
        SELECT ${withoutSuffix} AS bare_digest, argMax(fingerprint, ${recency}) AS newest FROM event
        WHERE fingerprint IS NOT NULL AND source <> 'browser' AND ${withoutSuffix} IN ${textList(digests)}
        GROUP BY bare_digest`)
      return access(
        state => new Map(rows.map(row => [text(row.bare_digest), failureIdOf(state, text(row.newest))])),
      )
    },
  }
}
