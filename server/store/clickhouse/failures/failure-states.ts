import { readPosition, writePosition } from '../../common/position.ts'
import { number, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { FailureStates } from '../../failure-store.ts'
import { markKnown } from '../../state/failure-ids.ts'
import { failureStatesOf, scannedOccurrences } from '../../state/failure-states.ts'
import type { Engine } from '../engine/engine.ts'
import { between, positionAt } from '../sql/positions.ts'

export function failureStates({ select, access, readCached, newest, replicas }: Engine): FailureStates {
  return {
    ...failureStatesOf(access, readCached, newest.id),
    async init() {
      if (await access(({ progress }) => progress.has('failures'))) return
      const position = writePosition(newest.ids())
      const rows = await select(sql`SELECT DISTINCT fingerprint FROM event WHERE fingerprint IS NOT NULL`)
      await access(state => {
        if (state.progress.has('failures')) return
        markKnown(
          state,
          rows.map(row => text(row.fingerprint)),
        )
        state.progress.set('failures', position)
      })
    },
    async scan(limit) {
      // Otherwise, an event of this replica could be examined before an earlier event of another replica.
      await replicas.refresh()
      const upTo = newest.ids()
      const after = await access(({ progress }) => readPosition(progress.get('failures') ?? '') ?? upTo)
      const unread = between(after, upTo)
      if (unread === null) return { occurrences: [], position: writePosition(after), isEnd: true }
      const rows = await select(sql`
        SELECT id, fingerprint, service, release,
          source = 'browser' AND digest IS NOT NULL AND exception_stack IS NULL AS has_only_digest
        FROM event WHERE ${unread} AND fingerprint IS NOT NULL
        ORDER BY id LIMIT ${limit}`)
      const examined = rows.map(row => ({
        id: number(row.id),
        fingerprint: text(row.fingerprint),
        service: text(row.service),
        release: textOrNull(row.release),
        hasOnlyDigest: number(row.has_only_digest) === 1,
      }))
      const isEnd = examined.length < limit
      const reached = isEnd ? upTo : positionAt(examined.at(-1)?.id ?? 0, after, upTo)
      return {
        occurrences: await access(state => scannedOccurrences(state, examined)),
        position: writePosition(reached),
        isEnd,
      }
    },
  }
}
