import type { FailureRow } from '../../shared/failure.ts'

/** A new failure, or a resolved failure that returned. */
export type FailureAlert = {
  kind: 'new' | 'returned'
  failure: FailureRow
  /** The release of the occurrence that caused the alert. */
  release: string | null
  /** When the occurrence was accepted. */
  atMs: number
}
