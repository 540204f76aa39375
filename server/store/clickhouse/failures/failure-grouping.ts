import { number, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { FailureGrouping } from '../../failure-grouping.ts'
import { failureGroupingOf } from '../../state/failure-grouping.ts'
import type { Engine } from '../engine/engine.ts'
import { recency } from '../sql/expressions.ts'
import { textList } from '../sql/text-list.ts'

export function failureGrouping({ select, access }: Engine): FailureGrouping {
  return failureGroupingOf(access, {
    async newest(fingerprints, limit) {
      const rows = await select(sql`
        SELECT fingerprint, argMax(id, ${recency}) AS newest_id FROM event
        WHERE fingerprint IN ${textList(fingerprints)}
        GROUP BY fingerprint ORDER BY max(${recency}) DESC LIMIT ${limit}`)
      return rows.map(row => ({ fingerprint: text(row.fingerprint), eventId: number(row.newest_id) }))
    },
    async releases(service, fingerprints) {
      const rows = await select(sql`
        SELECT DISTINCT fingerprint, release FROM event
        WHERE service = ${service} AND fingerprint IN ${textList(fingerprints)}`)
      return rows.map(row => ({ fingerprint: text(row.fingerprint), release: textOrNull(row.release) }))
    },
  })
}
