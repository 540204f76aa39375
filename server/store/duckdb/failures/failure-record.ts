import { number, numberOrNull, type Row, textOrNull } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import type { FailureRecord } from '../../failure-record.ts'
import { readResolution, writeReleases } from './failure-scan.ts'
import { stateOf } from './failure-state.ts'

/** The columns for `readRecord`, in the order of `recordValues`. */
export const recordColumns: Sql = sql`state, state_ms, resolved_ms, fixed_release, old_releases, after_id, returned_release,
  returned_ms, until_ms, state_by`

/** @throws TypeError if the row lacks `recordColumns` */
export function readRecord(row: Row): FailureRecord {
  return {
    state: stateOf(row.state),
    stateMs: number(row.state_ms),
    stateBy: textOrNull(row.state_by),
    mutedUntilMs: numberOrNull(row.until_ms),
    resolution: row.resolved_ms === null ? null : readResolution(row),
    resolvedAfterId: numberOrNull(row.after_id) ?? 0,
    returned:
      row.returned_ms === null
        ? null
        : { release: textOrNull(row.returned_release), atMs: number(row.returned_ms) },
  }
}

export function recordValues({ resolution, resolvedAfterId, returned, ...record }: FailureRecord): Sql {
  const { state, stateMs, stateBy, mutedUntilMs } = record
  return sql`${state}, ${stateMs}, ${resolution?.atMs ?? null}, ${resolution?.release ?? null},
    ${resolution && writeReleases(resolution.oldReleases)}, ${resolution && resolvedAfterId},
    ${returned?.release ?? null}, ${returned?.atMs ?? null}, ${mutedUntilMs}, ${stateBy}`
}
