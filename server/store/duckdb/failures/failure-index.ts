import type { FailureIndex } from '../../common/metrics/failure-index.ts'
import { text } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { RunQuery } from '../engine/connections.ts'
import { stateOf } from './failure-state.ts'

/**
 * Reads the index on first use after the workspace changes. The index contains only fingerprints that are not the id of their
 * failure, or whose failure is not open.
 */
export function createFailureIndex(runQuery: RunQuery) {
  let current: Promise<FailureIndex> | null = null
  return {
    read(): Promise<FailureIndex> {
      // Other queries wait for this one, so it cannot be aborted.
      current ??= readIndex(runQuery).catch(error => {
        current = null
        throw error
      })
      return current
    },
    /** Call this after the workspace changes. */
    reset(): void {
      current = null
    },
  }
}

async function readIndex(runQuery: RunQuery): Promise<FailureIndex> {
  const rows = await runQuery(sql`
    SELECT fingerprint, failure_id, coalesce(state, 'open') AS state
    FROM workspace.failure_fingerprint LEFT JOIN workspace.failure_state USING (failure_id)
    WHERE failure_id <> fingerprint OR state <> 'open'`)
  const index = new Map(
    rows.map(row => [text(row.fingerprint), { id: text(row.failure_id), state: stateOf(row.state) }]),
  )
  const fingerprints = new Map<string, string[]>()
  for (const [fingerprint, { id }] of index) {
    if (fingerprint === id) continue
    const others = fingerprints.get(id) ?? [id]
    others.push(fingerprint)
    fingerprints.set(id, others)
  }
  const failureIdOf = (fingerprint: string) => index.get(fingerprint)?.id ?? fingerprint
  return {
    failureIdOf,
    fingerprintsOf: fingerprint => {
      const id = failureIdOf(fingerprint)
      return fingerprints.get(id) ?? [id]
    },
    stateOf: fingerprint => index.get(fingerprint)?.state ?? 'open',
  }
}
