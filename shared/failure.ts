export const failureStates = ['open', 'resolved', 'muted'] as const

/** `resolved`: it should not occur in a newer release; `muted`: nobody wants to hear of it. */
export type FailureState = (typeof failureStates)[number]

/** A release and a moment; `null` for one without a name. */
type ReleaseMoment = { release: string | null; atMs: number }

export type FailureRow = {
  fingerprint: string
  state: FailureState
  /** When the state was last set, or `null` where it has been open from the beginning. */
  stateMs: number | null
  /** When it was resolved, and in which release: `null` for the next one. Kept when it returns. */
  resolved: ReleaseMoment | null
  /** It was resolved, and came back in this release: it is open again. */
  returned: ReleaseMoment | null
  /** Of the newest occurrence; `Error` and its message where it has no exception. */
  type: string
  /** In lists cut to 500 characters. */
  message: string
  /** Digests seen, newest first, at most five. */
  digests: string[]
  /** In the order of their text. */
  services: string[]
  releases: string[]
  /** Occurrences in the window. */
  count: number
  /** Over everything that is kept. */
  firstSeenMs: number
  lastSeenMs: number
  /** Occurrences per bucket of the window, oldest first. */
  sparkline: number[]
}

// -- Activities ------------------------------------------------------------------------------------------

/** What somebody wrote about a failure. Nobody signs in, so it has no author. */
export type FailureNote = { id: string; writtenMs: number; text: string }

/** How many requests and users met a failure, as far as its occurrences name them. */
export type FailureReach = {
  occurrences: number
  /** Told apart by trace, else by request id. */
  requests: number
  withoutRequest: number
  /** Told apart by `user.id`, `enduser.id` or `userId`. */
  users: number
  withoutUser: number
}
