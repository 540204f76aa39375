export const failureStates = ['open', 'resolved', 'muted'] as const

/**
 * A `resolved` failure is not expected in newer releases. A `muted` failure is excluded from alerts and from the list of
 * open failures.
 */
export type FailureState = (typeof failureStates)[number]

/**
 * The order of a list: `newest` by the last occurrence, `frequent` by the number of occurrences, `trend` by the increase
 * within the window, `age` by the first occurrence. The first row has the highest value or the latest time.
 */
export const failureSorts = ['newest', 'frequent', 'trend', 'age'] as const

export type FailureSort = (typeof failureSorts)[number]

/** A release and a time. `release` is `null` for the next release, or for an event without a release. */
type ReleaseMoment = { release: string | null; atMs: number }

export type FailureRow = {
  /** The first fingerprint of the failure. A failure can have several. */
  id: string
  state: FailureState
  /** When the state last changed; `null` if the failure has always been open, or the user may not see when it returned. */
  stateMs: number | null
  /** The name of the user who last changed the state, if it is known. */
  stateBy?: string
  /** When a muted failure reopens; `null` if it is not muted or does not reopen automatically. */
  mutedUntilMs: number | null
  /**
   * When and in which release (`null` for the next one) the failure was resolved. Not cleared when the failure returns.
   * `isReleaseHidden` means that the user may not see the release, which is then `null`.
   */
  resolved: (ReleaseMoment & { isReleaseHidden?: true }) | null
  /** When and in which release a resolved failure occurred again and was therefore reopened. */
  returned: ReleaseMoment | null
  /** Type of the newest occurrence; `Error` if the occurrence has no exception. */
  type: string
  /** In lists, truncated to 500 characters. */
  message: string
  /** Method and route of the newest occurrence, if known: `GET /products/:id`. */
  route: string | null
  /** Release of the newest occurrence. */
  release: string | null
  /** Up to five of the `digestCount` digests, newest first. */
  digests: string[]
  digestCount: number
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

/** A failure in a list. `isNew` means that it is not known to have occurred before the listed window. Only Home says so. */
export type ListedFailure = FailureRow & { isNew?: true }

/** A note on a failure. `author` is the name of the user, if it is known. */
export type FailureNote = { id: string; writtenMs: number; text: string; author?: string }

/** The number of requests and users that a failure affected, based on the ids in its occurrences. */
export type FailureImpact = {
  occurrences: number
  /** Number of distinct trace ids or, for occurrences without one, request ids. */
  requests: number
  withoutRequest: number
  /** Number of distinct values of `user.id`, `enduser.id` or `userId`. */
  users: number
  withoutUser: number
}
