import { number, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { FailureGrouping } from '../../failure-grouping.ts'
import { describeSignature, findSignatures, signOf } from '../../state/failure-grouping.ts'
import type { Engine } from '../engine/engine.ts'
import { recency } from '../sql/expressions.ts'
import { textList } from '../sql/text-list.ts'

export function failureGrouping({ select, access }: Engine): FailureGrouping {
  return {
    ...signOf(access),
    async unsigned(limit) {
      const fingerprints = await access(({ failureIds, signatures }) =>
        [...failureIds.keys()].filter(fingerprint => !signatures.has(fingerprint)),
      )
      if (fingerprints.length === 0) return []
      const rows = await select(sql`
        SELECT fingerprint, argMax(id, ${recency}) AS newest_id FROM event
        WHERE fingerprint IN ${textList(fingerprints)}
        GROUP BY fingerprint ORDER BY max(${recency}) DESC LIMIT ${limit}`)
      return rows.map(row => ({ fingerprint: text(row.fingerprint), eventId: number(row.newest_id) }))
    },
    async signatures(filter, limit) {
      const found = await access(state => findSignatures(state, filter, limit))
      if (found.length === 0) return []
      const rows = await select(sql`
        SELECT DISTINCT fingerprint, release FROM event
        WHERE service = ${filter.service} AND fingerprint IN ${textList(found.map(each => each.fingerprint))}`)
      const releasesOf = (fingerprint: string) =>
        rows.flatMap(row => (row.fingerprint === fingerprint ? [textOrNull(row.release)] : []))
      return access(state => found.map(each => describeSignature(state, each, releasesOf(each.fingerprint))))
    },
  }
}
