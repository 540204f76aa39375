import type { Position } from './event-store.ts'

/** Finds failures by digest, and adds fingerprints to them. The suffix of a digest (`@E…`) is ignored. */
export type FailureDigests = {
  /** The distinct digests of occurrences that were accepted after the last committed scan, up to a position. */
  scanned(position: Position): Promise<ScannedDigest[]>
  /**
   * For each digest, the failure id of its newest occurrence that did not come from a browser. Occurrences with an exception
   * rank above others. Digests without an occurrence from a server are omitted.
   */
  serverFailures(digests: readonly string[]): Promise<Map<string, string>>
  /** Maps each known fingerprint to its failure id. Unknown fingerprints are omitted. */
  failureIds(fingerprints: readonly string[]): Promise<Map<string, string>>
  /**
   * Adds an unknown fingerprint to a failure. The failure need not be known. Unlike `merge`, this method does not mark the
   * failure as known, so it can still be reported as new.
   */
  add(fingerprint: string, failureId: string): Promise<void>
}

export type ScannedDigest = {
  /** Without the suffix. */
  digest: string
  fingerprint: string
  isFromBrowser: boolean
}
