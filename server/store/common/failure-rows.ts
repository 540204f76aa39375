import type { FailureImpact } from '../../../shared/failure.ts'
import type { FailureRelease } from '../failure-store.ts'
import { number, type Row, textOrNull } from './rows.ts'

/** Reads the releases of a failure. The `total` column counts all releases. */
export function readReleases(rows: readonly Row[]): { releases: FailureRelease[]; omitted: number } {
  const releases = rows.map(row => ({
    release: textOrNull(row.release),
    count: number(row.count),
    firstSeenMs: number(row.first_us) / 1000,
    lastSeenMs: number(row.last_us) / 1000,
  }))
  return { releases, omitted: number(rows[0]?.total ?? 0) - releases.length }
}

export function readImpact(row: Row | undefined): FailureImpact {
  return {
    occurrences: number(row?.occurrences),
    requests: number(row?.requests),
    withoutRequest: number(row?.without_request),
    users: number(row?.users),
    withoutUser: number(row?.without_user),
  }
}
