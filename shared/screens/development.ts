import type { Confirmation } from '../confirmation.ts'
import type { EventRow, EventSource, LogEvent } from '../event.ts'
import type { FailureImpact, FailureNote, FailureRow, FailureSort, FailureState } from '../failure.ts'
import type { HtmlFragment } from '../html-fragment.ts'
import type { NotFoundHintsData } from '../not-found-hints.ts'
import type { Range, Span, Window } from '../range.ts'
import type { Frame } from '../stack.ts'

export type DevelopmentContent =
  | DevelopmentFailures
  | DevelopmentFailure
  | DevelopmentConnect
  | DevelopmentBuild
  | DevelopmentDrill

export type DevelopmentConnect = { view: 'connect'; connect: Snippet[] }
export type DevelopmentBuild = { view: 'build'; build: BuildContent }
/** The links are `null` if drills are disabled. */
export type DevelopmentDrill = { view: 'drill'; drill: DrillLink[] | null }

/** The pages of /development other than the failures. */
export const developmentParts = ['connect', 'build', 'drill'] as const
export type DevelopmentPart = (typeof developmentParts)[number]

/** A link to a page that fails deliberately. */
export type DrillLink = { stage: Drill; label: string; href: string }

/** Which failures are listed. The page of one failure links back to this list. */
export type FailureFilter = {
  range: Range
  window: Window
  sort: FailureSort
  state: FailureState | 'all'
  /** Text that the listed failures contain, or an empty string. */
  text: string
  /** `null` means all services. */
  service: string | null
  /** Starts at 1. */
  page: number
}

export type DevelopmentFailures = FailureFilter & {
  view: 'failures'
  /** The services to choose from, in alphabetical order. */
  services: string[]
  /** The number of other services with failures in the window. */
  omittedServices: number
  /** The number of failures that match the text and the service, by state. */
  states: Record<FailureState, number>
  /** The failures on the page, at most fifty, in the order of `sort`. */
  failures: FailureRow[]
  /** The position of the first listed failure, starting at 1. */
  first: number
  /** The number of failures on all pages. */
  total: number
  /** A requested failure or digest that was not found. */
  missing: { kind: 'failure' | 'digest'; value: string; hints: NotFoundHintsData } | null
  /** The result of the form that was just submitted. */
  confirmation: Confirmation | null
}

export type DevelopmentFailure = FailureFilter & {
  view: 'failure'
  failure: FailureDetail
  confirmation: Confirmation | null
}

/** The stages at which a page can fail deliberately, so that developers can practise finding the cause of a failure. */
export const drills = ['content', 'render', 'late', 'client'] as const

export type Drill = (typeof drills)[number]

/**
 * The values of the `form` field, which identifies a form on a failure's page. The first three can also change several
 * failures at once; the form then has a `failure` field for each of them.
 */
export const failureForms = {
  resolve: 'resolve',
  mute: 'mute',
  reopen: 'reopen',
  undo: 'undo',
  addNote: 'add-note',
  removeNote: 'remove-note',
  merge: 'merge',
  split: 'split',
} as const

/** How long a failure can be muted. Without one of these durations, it is muted until it is reopened. */
export const muteSpans = ['1h', '24h', '7d'] as const satisfies readonly Span[]

export type FailureDetail = FailureRow & {
  /** Occurrences in the last thirty days or, for a failure younger than a week, since it was first seen. */
  chart: HtmlFragment
  impact: FailureImpact
  /** Newest first. */
  notes: FailureNote[]
  /** The text in the note form, and the problem if the note could not be saved. */
  noteForm: { text: string; problem: string | null }
  resolveForm: { release: string; problem: string | null }
  /** Releases of the failure's services, newest first; empty if the services report none. */
  knownReleases: string[]
  /** The fingerprints with stored occurrences, newest first, at most fifty. Empty if there is only one. */
  fingerprints: FailureFingerprint[]
  /** The number of fingerprints with stored occurrences, if there are several. */
  fingerprintCount: number
  /** `null` unless the visitor is looking for a failure to merge. */
  merge: FailureMerge | null
  /** Why a fingerprint could not be split off; `null` if there was no such attempt. */
  splitProblem: string | null
  /**
   * The requested digest; `null` if there is none, or no stored occurrence has it. The stack and the occurrences are limited
   * to its events.
   */
  shownDigest: string | null
  /** The requested digest if no stored occurrence has it; otherwise `null`. */
  missingDigest: string | null
  /** Other failures with the requested digest, newest first. */
  othersWithDigest: Pick<FailureRow, 'id' | 'type' | 'message'>[]
  /** The frames of `stack`, innermost first. */
  frames: Frame[]
  /**
   * The raw stack of the newest listed occurrence with an exception; `null` if it has no stack. Occurrences from browsers
   * that know only the digest of a server's error are used only if there are no others.
   */
  stack: string | null
  /** The occurrence with the displayed stack and context; `null` if it is the newest listed one. */
  stackOccurrence: OccurrenceKey | null
  /** Whether this occurrence does not have `shownDigest`, because all occurrences that have it are from browsers. */
  hasStackOfOtherDigest: boolean
  /** The latest occurrences, newest first, at most twenty. */
  occurrences: EventRow[]
  /**
   * The request log of the newest listed occurrence with a trace or request id, which may not be the newest occurrence;
   * `null` if there is none.
   */
  requestLog: RequestLog | null
  /** The newest occurrence, without breadcrumbs and source lines, which the page shows elsewhere. */
  latest: LogEvent | null
  /** Request, user, tags and breadcrumbs of the occurrence with the displayed stack; `null` if it has none of them. */
  context: OccurrenceContext | null
  perRelease: { release: string | null; count: number; firstSeenMs: number; lastSeenMs: number }[]
  /** The number of older releases that `perRelease` omits. */
  omittedReleases: number
}

/** Identifies an occurrence for the reader. */
export type OccurrenceKey = Pick<EventRow, 'id' | 'timeMs' | 'release'>

export type OccurrenceContext = {
  url: string | null
  user: string | null
  userAgent: string | null
  tags: { name: string; value: string }[]
  /** Actions and requests before the failure, as recorded by Sentry's SDKs, oldest first. */
  breadcrumbs: { timeMs: number | null; level: string | null; category: string | null; message: string }[]
}

export type FailureFingerprint = {
  fingerprint: string
  /** Type and message of the newest occurrence. */
  type: string
  message: string
  /** The function and file of the innermost application frame; `null` if it is unknown. */
  topFrame: { functionName: string | null; file: string } | null
  count: number
  /** The five newest of the fingerprint's `releaseCount` releases, newest first. */
  releases: string[]
  releaseCount: number
  lastSeenMs: number
}

export type FailureMerge = {
  /** The submitted id, fingerprint or digest. */
  value: string
  problem: string | null
  /** The failure to merge, which the visitor must confirm. */
  chosen: MergeCandidate | null
  /** Failures of the same services with a similar stack, most similar first. */
  similar: MergeCandidate[]
}

export type MergeCandidate = Pick<FailureRow, 'id' | 'type' | 'message' | 'state' | 'lastSeenMs'> & {
  /** All stored occurrences. */
  count: number
  notes: number
}

/** Log lines of one request, from all services, oldest first. */
export type RequestLog = {
  /** The id of the failure's occurrence among the events. */
  occurrenceId: number
  /** This occurrence, if it is not the newest listed one; otherwise `null`. */
  earlierOccurrence: OccurrenceKey | null
  events: EventRow[]
  /** The first event before the occurrence that belongs to another failure, and the id of that failure. */
  earlierFailure: { eventId: number; failureId: string } | null
  /** Whether the request has more lines. */
  more: boolean
  /** The search for all lines of the request, and its range. */
  q: string
  range: Window
}

export type Snippet = {
  id: string
  title: string
  language: string
  code: string
  note: string
  /** The source of the events that the snippet sends; `null` if it sends none. */
  source: EventSource | null
}

/** The value of the `form` field in forms that send a test event. */
export const connectForm = 'try'

export type BuildContent = {
  version: string
  build: string
  builtAtMs: number
  node: string
  chunks: { name: string; rawBytes: number; gzipBytes: number; brotliBytes: number }[]
  dependencies: { name: string; version: string }[]
}
