import type { EventRow, EventSource, LogEvent } from '../event.ts'
import type { FailureNote, FailureReach, FailureRow, FailureState } from '../failure.ts'
import type { Markup } from '../markup.ts'
import type { Range, Window } from '../range.ts'
import type { Frame } from '../stack.ts'
import type { KeptEvents } from '../stored-events.ts'

export type DevelopmentContent = {
  range: Range
  window: Window
  sort: 'newest' | 'frequent'
  /** Of which failures the list is. */
  state: FailureState | 'all'
  /** Failures with an occurrence in the window, by state. */
  states: Record<FailureState, number>
  /** The first fifty in the order of `sort`. */
  failures: FailureRow[]
  /** There are others beside them. */
  more: boolean
  selected: FailureDetail | null
  /** A failure or digest that was asked for and that no kept event has. */
  missing: { kind: 'failure' | 'digest'; value: string; kept: KeptEvents } | null
  connect: Snippet[]
  build: BuildContent
  /** Ways to fail on purpose, or `null` where the drill is off. */
  drill: { way: Drill; label: string; href: string }[] | null
}

export const drills = ['content', 'render', 'late', 'client'] as const

export type Drill = (typeof drills)[number]

/** The forms of a failure, by what their field `form` says. */
export const failureForms = {
  resolve: 'resolve',
  mute: 'mute',
  reopen: 'reopen',
  addNote: 'add-note',
  removeNote: 'remove-note',
} as const

export type FailureDetail = FailureRow & {
  /** Occurrences per day. */
  perDay: Markup
  reach: FailureReach
  /** Newest first. */
  notes: FailureNote[]
  /** What stands in the form of a new note, and in that of the release that it is resolved in. */
  noteForm: { text: string; problem: string | null }
  resolveForm: { release: string; problem: string | null }
  /** Releases of its services, newest first: none where they name none. */
  knownReleases: string[]
  /** The digest that was asked for: stack and occurrences are of events that have it. `null` where it was none. */
  ofDigest: string | null
  /** The frames of the latest occurrence, innermost first. */
  frames: Frame[]
  /** The stack of the latest occurrence, as it is kept. */
  stack: string | null
  /** The latest occurrences, newest first, at most twenty. */
  occurrences: EventRow[]
  /** The newest occurrence in full. */
  latest: LogEvent | null
  perRelease: { release: string | null; count: number; firstSeenMs: number; lastSeenMs: number }[]
}

export type Snippet = {
  id: string
  title: string
  language: string
  code: string
  note: string
  /** As what its events come in; `null` for what sends none. */
  source: EventSource | null
}

/** The form that sends a test event by a way to connect, by what its field `form` says. */
export const connectForm = 'try'

export type BuildContent = {
  version: string
  build: string
  builtAtMs: number
  node: string
  chunks: { name: string; rawBytes: number; gzipBytes: number; brotliBytes: number }[]
  dependencies: { name: string; version: string }[]
}
