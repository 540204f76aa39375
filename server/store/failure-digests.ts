import type { Position } from './event-store.ts'

/**
 * Finds failures by digest, and lets fingerprints follow others. A fingerprint that follows another one always belongs to the
 * same failure, even after merges and splits, and is not listed or split off on its own. The suffix of a digest (`@E…`) is
 * ignored.
 */
export type FailureDigests = {
  /** The distinct digests of occurrences that were accepted after the last committed scan, up to a position. */
  scanned(position: Position): Promise<ScannedDigest[]>
  /**
   * For each digest, the fingerprint of its newest occurrence that did not come from a browser. Occurrences with an exception
   * rank above others. Digests without an occurrence from a server are omitted.
   */
  serverFingerprints(digests: readonly string[]): Promise<Map<string, string>>
  /** Maps each known fingerprint to the one that it follows, or to `null`. Unknown fingerprints are omitted. */
  followed(fingerprints: readonly string[]): Promise<Map<string, string | null>>
  /**
   * Lets each fingerprint follow another one, which follows none and need not be known. Does not mark it as known, so its
   * failure can still be reported as new. Ignores known fingerprints that follow none.
   */
  follow(fingerprints: ReadonlyMap<string, string>): Promise<void>
  /** Forgets the fingerprints that follow others and have no stored events. */
  forgetUnused(): Promise<void>
}

export type ScannedDigest = {
  /** Without the suffix. */
  digest: string
  fingerprint: string
  isFromBrowser: boolean
  /** The message of a browser error without a stack; otherwise `null`. */
  message: string | null
}
