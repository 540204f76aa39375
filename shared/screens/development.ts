import type { EventRow, EventSource, LogEvent } from '../event.ts'
import type { FailureImpact, FailureNote, FailureRow, FailureState } from '../failure.ts'
import type { HtmlFragment } from '../html-fragment.ts'
import type { NotFoundHintsData } from '../not-found-hints.ts'
import type { Range, Window } from '../range.ts'
import type { Frame } from '../stack.ts'

export type DevelopmentContent =
  | DevelopmentFailures
  | { view: 'connect'; connect: Snippet[] }
  | { view: 'build'; build: BuildContent }
  | { view: 'drill'; drill: DrillLink[] | null }

/** Links that fail deliberately are `null` if drills are disabled. */
export type DrillLink = { way: Drill; label: string; href: string }

export type DevelopmentFailures = {
  view: 'failures'
  range: Range
  window: Window
  sort: 'newest' | 'frequent'
  /** The state that the list is filtered by. */
  state: FailureState | 'all'
  /** Failures with an occurrence in the window, by state. */
  states: Record<FailureState, number>
  /** The first fifty failures in the order of `sort`. */
  failures: FailureRow[]
  /** Whether there are more failures. */
  more: boolean
  selected: FailureDetail | null
  /** A requested failure or digest that was not found. */
  missing: { kind: 'failure' | 'digest'; value: string; hints: NotFoundHintsData } | null
}

/** Where a page can be made to fail, to practise finding the cause of a failure. */
export const drills = ['content', 'render', 'late', 'client'] as const

export type Drill = (typeof drills)[number]

/** The forms of a failure, by the value of their field `form`. */
export const failureForms = {
  resolve: 'resolve',
  mute: 'mute',
  reopen: 'reopen',
  addNote: 'add-note',
  removeNote: 'remove-note',
} as const

export type FailureDetail = FailureRow & {
  /** Occurrences per day. */
  perDay: HtmlFragment
  impact: FailureImpact
  /** Newest first. */
  notes: FailureNote[]
  /** The input of the two forms and its problem, if it was not saved. */
  noteForm: { text: string; problem: string | null }
  resolveForm: { release: string; problem: string | null }
  /** Releases of the failure's services, newest first; empty if the services report none. */
  knownReleases: string[]
  /** If a digest was requested, only its events are shown in the stack and the occurrences. */
  shownDigest: string | null
  /** The frames of the latest occurrence, innermost first. */
  frames: Frame[]
  /** The raw stack of the latest occurrence. */
  stack: string | null
  /** The latest occurrences, newest first, at most twenty. */
  occurrences: EventRow[]
  /** The newest occurrence in full. */
  latest: LogEvent | null
  perRelease: { release: string | null; count: number; firstSeenMs: number; lastSeenMs: number }[]
  /** How many older releases `perRelease` leaves out. */
  omittedReleases: number
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

/** The value of the field `form` in the forms that send a test event. */
export const connectForm = 'try'

export type BuildContent = {
  version: string
  build: string
  builtAtMs: number
  node: string
  chunks: { name: string; rawBytes: number; gzipBytes: number; brotliBytes: number }[]
  dependencies: { name: string; version: string }[]
}
