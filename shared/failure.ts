export const failureStates = ['open', 'resolved', 'muted'] as const

/** `resolved`: not expected in newer releases. `muted`: excluded from alerts and from the list of open failures. */
export type FailureState = (typeof failureStates)[number]

/** A release and a time. `release` is `null` for the next release, or if the event has none. */
type ReleaseMoment = { release: string | null; atMs: number }

export type FailureRow = {
  /** The first fingerprint of the failure. A failure can have several. */
  id: string
  state: FailureState
  /** When the state last changed; `null` if the failure has always been open. */
  stateMs: number | null
  /**
   * When and in which release the failure was resolved; release `null` means the next one. Not cleared when the failure
   * returns.
   */
  resolved: ReleaseMoment | null
  /** The release in which a resolved failure occurred again. The failure is then open. */
  returned: ReleaseMoment | null
  /** Type of the newest occurrence; `Error` if it has no exception. */
  type: string
  /** In lists, cut to 500 characters. */
  message: string
  /** Up to five digests, newest first. */
  digests: string[]
  /** Up to 100 of the `serviceCount` services, in alphabetical order. */
  services: string[]
  serviceCount: number
  /** Number of occurrences in the window. */
  count: number
  /** Based on all stored events, not only on those in the window. */
  firstSeenMs: number
  lastSeenMs: number
  /** Occurrences per bucket of the window, oldest first. */
  sparkline: number[]
}

/** A note on a failure. It has no author, because there are no user accounts. */
export type FailureNote = { id: string; writtenMs: number; text: string }

/** How many requests and users a failure affected, based on the ids in its occurrences. */
export type FailureImpact = {
  occurrences: number
  /** Distinct trace ids, or else request ids. */
  requests: number
  withoutRequest: number
  /** Distinct values of `user.id`, `enduser.id` or `userId`. */
  users: number
  withoutUser: number
}
