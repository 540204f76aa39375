import type { FailureState } from '../../../../shared/failure.ts'

/** Maps a fingerprint to its failure and the failure's state. A failure id is also a fingerprint. */
export type FailureIndex = {
  failureIdOf(fingerprint: string): string
  /** All fingerprints of the failure with this fingerprint. */
  fingerprintsOf(fingerprint: string): string[]
  stateOf(fingerprint: string): FailureState
}
