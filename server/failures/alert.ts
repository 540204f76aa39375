import type { FailureRow } from '../../shared/failure.ts'

/** A failure that was seen for the first time, or that came back after it was resolved. */
export type FailureAlert = {
  kind: 'new' | 'returned'
  failure: FailureRow
  /** Of the occurrence that gave rise to it. */
  release: string | null
}
