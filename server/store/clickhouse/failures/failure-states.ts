import { number, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { FailureStates } from '../../failure-store.ts'
import { markKnown } from '../../state/failure-ids.ts'
import { failureStatesOf, scannedOccurrences } from '../../state/failure-states.ts'
import type { Engine } from '../engine/engine.ts'

export function failureStates({ select, access, newestId }: Engine): FailureStates {
  return {
    ...failureStatesOf(access, newestId),
    async init() {
      if (await access(({ progress }) => progress.has('failures'))) return
      const lastId = newestId()
      const rows = await select(sql`SELECT DISTINCT fingerprint FROM event WHERE fingerprint IS NOT NULL`)
      await access(state => {
        if (state.progress.has('failures')) return
        markKnown(
          state,
          rows.map(row => text(row.fingerprint)),
        )
        state.progress.set('failures', lastId)
      })
    },
    async scan(limit) {
      const newest = newestId()
      const afterId = await access(({ progress }) => progress.get('failures') ?? newest)
      const rows = await select(sql`
        SELECT id, fingerprint, service, release,
          source = 'browser' AND digest IS NOT NULL AND exception_stack IS NULL AS has_only_digest
        FROM event WHERE id > ${afterId} AND id <= ${newest} AND fingerprint IS NOT NULL
        ORDER BY id LIMIT ${limit}`)
      const examined = rows.map(row => ({
        id: number(row.id),
        fingerprint: text(row.fingerprint),
        service: text(row.service),
        release: textOrNull(row.release),
        hasOnlyDigest: number(row.has_only_digest) === 1,
      }))
      const isEnd = examined.length < limit
      const lastId = isEnd ? newest : (examined.at(-1)?.id ?? newest)
      return { occurrences: await access(state => scannedOccurrences(state, examined)), lastId, isEnd }
    },
  }
}
