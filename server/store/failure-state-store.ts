import type { FailureNote } from '../../shared/failure.ts'

/**
 * What is known and was decided of failures, beside their events and for longer. A failure that it does not know
 * is open. Once a promise resolves, what was entered survives a kill of the process.
 */
export type FailureBook = {
  /** Enters the failures of all events as known, the first time that it is asked of a store; later it does nothing. */
  begin(): Promise<void>
  /**
   * Looks through the occurrences that were accepted after those that were `entered`, oldest first, at most
   * `limit` of them.
   */
  look(limit: number): Promise<Look>
  /** Enters what was made of a look, all or none: the next one goes on behind it. */
  enter(findings: Findings): Promise<void>
  /** Enters failures as known, if they are not: their next occurrence is nothing new. */
  know(fingerprints: readonly string[]): Promise<void>
  /** From now on occurrences in newer releases count as a return. */
  resolve(fingerprint: string, resolution: Resolution): Promise<void>
  /** Mutes it, or opens it: what was said of its resolving and return is gone. */
  setState(fingerprint: string, state: 'open' | 'muted', atMs: number): Promise<void>
  /**
   * Hands notes, and a state that somebody set, over to the fingerprint that the events of a failure got instead.
   * One for which somebody set a state already keeps it. Links to the old one go on leading to the failure.
   */
  move(from: string, to: string): Promise<void>
  /** What `move` made of a fingerprint, over all moves; `null` for one that was not moved, or that was moved back to. */
  movedTo(fingerprint: string): Promise<string | null>
  /** Newest first. */
  notes(fingerprint: string): Promise<FailureNote[]>
  addNote(fingerprint: string, note: FailureNote): Promise<void>
  removeNote(fingerprint: string, id: string): Promise<void>
}

export type Resolution = {
  atMs: number
  /** The release that it is fixed in; `null` for the next one. */
  release: string | null
  /** What may go on to show it. `release: null`: an occurrence that names none says nothing. */
  oldReleases: ServiceRelease[]
}

export type ServiceRelease = { service: string; release: string | null }

export type Look = {
  /** Of failures that the book does not know, and of those that are resolved; in the order of acceptance. */
  sightings: Sighting[]
  /** How far it came. */
  lastId: number
  /** There is nothing behind it. */
  isEnd: boolean
}

/** Occurrences of one failure in one release of a service. */
export type Sighting = ServiceRelease & {
  fingerprint: string
  /** When the first of them was accepted: what is resolved now returns after now, whatever its clock says. */
  acceptedMs: number
  /** `null` where the book does not know the failure. */
  resolution: Resolution | null
}

export type Findings = {
  known: string[]
  /** Each is entered if it is still resolved as it was at `resolvedMs`. */
  returned: { fingerprint: string; release: string | null; atMs: number; resolvedMs: number }[]
  lastId: number
}
