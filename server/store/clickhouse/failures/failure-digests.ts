import { number, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { FailureDigests } from '../../failure-digests.ts'
import { failureDigestsOf } from '../../state/failure-digests.ts'
import type { Engine } from '../engine/engine.ts'
import { recency } from '../sql/expressions.ts'
import { between } from '../sql/positions.ts'
import { textList } from '../sql/text-list.ts'
import { withoutSuffix } from './digest.ts'
import { storedFingerprints } from './manual-grouping.ts'

export function failureDigests({ select, access }: Engine): FailureDigests {
  return failureDigestsOf(access, {
    async scanned(after, upTo) {
      const unread = between(after, upTo)
      if (unread === null) return []
      const rows = await select(sql`
        SELECT DISTINCT ${withoutSuffix} AS bare_digest, fingerprint, source = 'browser' AS is_from_browser,
          if(is_from_browser AND exception_stack IS NULL, exception_message, NULL) AS message
        FROM event
        WHERE ${unread} AND digest IS NOT NULL AND fingerprint IS NOT NULL`)
      return rows.map(row => ({
        digest: text(row.bare_digest),
        fingerprint: text(row.fingerprint),
        isFromBrowser: number(row.is_from_browser) === 1,
        message: textOrNull(row.message),
      }))
    },
    async serverFingerprints(digests) {
      const rows = await select(sql`
        SELECT ${withoutSuffix} AS bare_digest, argMax(fingerprint, (exception_type IS NOT NULL, ${recency})) AS best
        FROM event
        WHERE fingerprint IS NOT NULL AND source <> 'browser' AND ${withoutSuffix} IN ${textList(digests)}
        GROUP BY bare_digest`)
      return rows.map(row => ({ digest: text(row.bare_digest), fingerprint: text(row.best) }))
    },
    stored: fingerprints => storedFingerprints({ select }, fingerprints),
  })
}
