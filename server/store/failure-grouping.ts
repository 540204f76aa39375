import type { SignatureFrame } from '../grouping/signature.ts'

/**
 * Signatures, which identify failures in newer releases. Signatures outlive the events. Once a promise resolves, the change
 * survives even if the process is killed.
 */
export type FailureGrouping = {
  /**
   * Known fingerprints that have stored events but no signature, newest first, each with its newest event. Omits fingerprints
   * that follow others.
   */
  withoutSignature(limit: number): Promise<{ fingerprint: string; eventId: number }[]>
  /** The newest signatures of a service. A signature belongs to the service in which its fingerprint was first seen. */
  signatures(filter: SignatureFilter, limit: number): Promise<StoredSignature[]>
  /**
   * Stores signatures, and adds each fingerprint with `replaces` to the failure of the replaced fingerprint.
   * @param keep the number of signatures to keep. Signatures without frames, which match no stack, are deleted before
   * others, then those of open failures, oldest first
   */
  storeSignatures(signatures: readonly NewSignature[], keep: number): Promise<void>
}

/**
 * Merges and splits that users make. These changes outlive the events. Once a promise resolves, the change survives even if
 * the process is killed.
 */
export type ManualGrouping = {
  /**
   * The fingerprints of a failure that have stored events, newest first, and how many there are. Empty if there is only
   * one. Fingerprints that follow another one (`FailureDigests`) count as that one. Messages are truncated
   * to 500 characters.
   */
  fingerprints(
    id: string,
    limit: number,
    signal?: AbortSignal,
  ): Promise<{ fingerprints: StoredFingerprint[]; total: number }>
  /**
   * Adds the fingerprints and notes of one failure to another, which keeps its state. Links to the first failure then open
   * the other one. If the other one is resolved, occurrences that have been scanned are not returns.
   */
  merge(id: string, into: string): Promise<void>
  /**
   * Makes a fingerprint a separate failure. If the fingerprint was merged, its former failure's id, notes and state are
   * restored, unless other stored events have that id as their fingerprint.
   * @returns the id of the new failure; `null` if the fingerprint is the id of its failure or has no stored events, or if no
   * other fingerprint of the failure has any
   */
  split(fingerprint: string): Promise<string | null>
  /** Whether the failures of these fingerprints have been split from each other and not been merged again. */
  isSplit(fingerprint: string, other: string): Promise<boolean>
  /** Whether the failure of this fingerprint contains manually merged fingerprints. */
  isMerged(fingerprint: string): Promise<boolean>
}

export type StoredFingerprint = {
  fingerprint: string
  /** Type and message of the newest occurrence that contains the cause: see `FailureStore.failure`. */
  type: string
  message: string
  /** The innermost application frame; `null` if it is unknown. */
  topFrame: SignatureFrame | null
  count: number
  /** The newest five of `releaseCount` releases, newest first. */
  releases: string[]
  releaseCount: number
  lastSeenMs: number
}

export type SignatureFilter = {
  service: string
  /** `null` means all subjects. */
  subject: string | null
}

export type NewSignature = {
  fingerprint: string
  service: string
  /** The release of the occurrence from which the signature was computed. */
  release: string | null
  subject: string
  frames: readonly SignatureFrame[]
  seenMs: number
  /** The fingerprint in an older release that this one replaces. */
  replaces: string | null
}

export type StoredSignature = {
  fingerprint: string
  failureId: string
  subject: string
  frames: SignatureFrame[]
  /** The known releases of the service that contain this fingerprint. `null` represents occurrences without a release. */
  releases: (string | null)[]
  /** Whether another fingerprint replaced this one. */
  isReplaced: boolean
}
