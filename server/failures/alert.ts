import type { FailureRow } from '../../shared/failure.ts'

/** A new failure, or a resolved failure that returned. */
export type FailureAlert = {
  kind: 'new' | 'returned'
  failure: FailureRow
  /** The service and release of the occurrence that caused the alert. */
  service: string
  release: string | null
  /** When the occurrence was accepted. */
  atMs: number
}
