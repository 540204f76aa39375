import type { SignatureFrame } from '../grouping/signature.ts'

/**
 * How fingerprints are grouped into failures: the signatures that recognise a failure in a newer release, and the decisions
 * of people. Outlives the events. Once a promise resolves, the change survives even if the process is killed.
 */
export type FailureGrouping = {
  /** Known fingerprints of stored events that have no signature, newest first, each with its newest event. */
  unsigned(limit: number): Promise<{ fingerprint: string; eventId: number }[]>
  /** The newest signatures of a service. A signature belongs to the service in which its fingerprint was first seen. */
  signatures(filter: SignatureFilter, limit: number): Promise<StoredSignature[]>
  /**
   * Stores signatures, and adds each fingerprint with `replaces` to the failure of the replaced one.
   * @param keep the number of signatures to keep: the oldest are deleted first, those of resolved and muted failures last
   */
  sign(signatures: readonly NewSignature[], keep: number): Promise<void>
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
  /** The known releases of the service with this fingerprint. `null` is an occurrence without a release. */
  releases: (string | null)[]
  /** Whether another fingerprint replaced this one. */
  isReplaced: boolean
}
