import { number, type Row, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { FailureStates } from '../../failure-store.ts'
import type { ExaminedOccurrence } from '../../state/failure-scan.ts'
import { failureStatesOf } from '../../state/failure-states.ts'
import type { Engine } from '../engine/engine.ts'
import { between, positionAt } from '../sql/positions.ts'
import { textList } from '../sql/text-list.ts'

export function failureStates({ select, access, readCached, newest, replicas }: Engine): FailureStates {
  return failureStatesOf(access, readCached, {
    newestId: newest.id,
    async newest() {
      // Otherwise, an event of this replica could be examined before an earlier event of another replica.
      await replicas.refresh()
      return newest.ids()
    },
    async fingerprints() {
      const rows = await select(sql`SELECT DISTINCT fingerprint FROM event WHERE fingerprint IS NOT NULL`)
      return rows.map(row => text(row.fingerprint))
    },
    async occurrences(after, upTo, limit) {
      const unread = between(after, upTo)
      if (unread === null) return { occurrences: [], reached: after, isEnd: true }
      const rows = await select(sql`
        SELECT ${columns} FROM event WHERE ${unread} AND fingerprint IS NOT NULL
        ORDER BY id LIMIT ${limit}`)
      const occurrences = rows.map(readOccurrence)
      const isEnd = occurrences.length < limit
      const reached = isEnd ? upTo : positionAt(occurrences.at(-1)?.id ?? 0, after, upTo)
      return { occurrences, reached, isEnd }
    },
    async occurrencesOf(fingerprints, afterId, upTo) {
      const read = between([afterId], upTo)
      if (read === null) return []
      const rows = await select(sql`
        SELECT ${columns} FROM event WHERE id > ${afterId} AND ${read} AND fingerprint IN ${textList(fingerprints)}
        ORDER BY id LIMIT 1 BY fingerprint, service, release`)
      return rows.map(readOccurrence)
    },
  })
}

/** The columns for `readOccurrence`. */
const columns = sql`id, fingerprint, service, release`

function readOccurrence(row: Row): ExaminedOccurrence {
  return {
    id: number(row.id),
    fingerprint: text(row.fingerprint),
    service: text(row.service),
    release: textOrNull(row.release),
  }
}
