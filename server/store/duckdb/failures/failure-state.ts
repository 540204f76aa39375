import { type FailureRow, type FailureState, failureStates } from '../../../../shared/failure.ts'
import { number, numberOrNull, type Row, text, textOrNull } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'

/** Returns a condition that is true for events whose failure is in this state. A failure without a stored state is open. */
export function isInState(state: FailureState): Sql {
  return state === 'open'
    ? sql`fingerprint NOT IN (SELECT fingerprint ${states} WHERE state <> 'open')`
    : sql`fingerprint IN (SELECT fingerprint ${states} WHERE state = ${state})`
}

const states = sql`FROM workspace.failure_fingerprint JOIN workspace.failure_state USING (failure_id)`

/** The columns for `readState`. */
export const stateColumns: Sql = sql`state, state_ms, resolved_ms, fixed_release, returned_ms, returned_release,
  until_ms, state_by`

/** @throws TypeError if the row lacks `stateColumns`; without a stored state, all of them are null */
export function readState(
  row: Row,
): Pick<FailureRow, 'state' | 'stateMs' | 'stateBy' | 'mutedUntilMs' | 'resolved' | 'returned'> {
  const stateBy = textOrNull(row.state_by)
  return {
    ...(stateBy !== null && { stateBy }),
    state: row.state === null ? 'open' : stateOf(row.state),
    stateMs: numberOrNull(row.state_ms),
    mutedUntilMs: numberOrNull(row.until_ms),
    resolved:
      row.resolved_ms === null
        ? null
        : { release: textOrNull(row.fixed_release), atMs: number(row.resolved_ms) },
    returned:
      row.returned_ms === null
        ? null
        : { release: textOrNull(row.returned_release), atMs: number(row.returned_ms) },
  }
}

export function stateOf(value: unknown): FailureState {
  const state = failureStates.find(known => known === text(value))
  if (state === undefined)
    throw new TypeError('The store contains a failure state that this version does not support')
  return state
}
