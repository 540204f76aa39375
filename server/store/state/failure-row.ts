import type { FailureRow } from '../../../shared/failure.ts'
import type { FailureRecord } from '../failure-record.ts'

/** The part of a failure's row that depends on its record. */
export function stateFields(
  record: FailureRecord | undefined,
): Pick<FailureRow, 'state' | 'stateMs' | 'stateBy' | 'mutedUntilMs' | 'resolved' | 'returned'> {
  const { resolution = null, returned = null } = record ?? {}
  return {
    state: record?.state ?? 'open',
    stateMs: record?.stateMs ?? null,
    ...(record !== undefined && record.stateBy !== null && { stateBy: record.stateBy }),
    mutedUntilMs: record?.mutedUntilMs ?? null,
    resolved: resolution === null ? null : { release: resolution.release, atMs: resolution.atMs },
    returned,
  }
}
