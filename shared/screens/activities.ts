import type { Column } from '../columns.ts'
import type { EventRow, LogEvent, Severity } from '../event.ts'
import type { Markup } from '../markup.ts'
import type { QueryProblem } from '../query.ts'
import type { Range, Window } from '../range.ts'
import type { KeptEvents } from '../stored-events.ts'
import type { Waterfall } from '../waterfall.ts'

export type ActivitiesContent = {
  /** The search as it was typed. */
  q: string
  problem: QueryProblem | null
  /** The box held what looks like a digest, and no event has it. */
  unknownDigest: { digest: string; kept: KeptEvents } | null
  range: Range
  window: Window
  columns: Column[]
  /** The columns as the URL asks for them; nothing where they are the visitor's usual ones. */
  columnsAsked?: string | undefined
  /** Where the page of events begins; neither where it holds the newest. */
  cursor: { before?: string | undefined; after?: string | undefined }
  /** Words of the search, to be marked where they stand. */
  marks: string[]
  /** Events that match, in the whole window. */
  total: number
  /** How many match of each severity, whatever severities the search asks for. */
  severities: { severity: Severity; count: number; active: boolean; href: string }[]
  histogram: Markup | null
  facets: Facet[]
  events: EventRow[]
  open: LogEvent | null
  /** How long after its time the open event arrived; below zero where its writer's clock is ahead. */
  openLateMs: number | null
  /** The open event was asked for and is not kept (any more). */
  openMissing: boolean
  /** All of the trace or request that was searched for, else of the open event's. */
  waterfall: Waterfall | null
  olderHref: string | null
  newerHref: string | null
  saved: SavedView[]
  /** The form that keeps this view under a name. */
  saveForm: { view: string; name: string; problem: string | null }
  /** A longer time around the window, or `null` where it is the longest already. */
  zoomOutHref: string | null
  /** The search without each one of its terms: what may help where nothing matches. */
  withoutTerms: { term: string; href: string }[]
  /** Live feed of this search, or `null` where the page does not end in the present. */
  liveHref: string | null
  queryMs: number
}

/** A named view of the log as the screen offers it. */
type SavedView = {
  id: string
  name: string
  href: string
  /** It is the view that is shown. */
  active: boolean
}

/** The forms of the log, by what their field `form` says. */
export const activitiesForms = { save: 'save', forget: 'forget', columns: 'columns' } as const

export const facetNames = ['service', 'route', 'status', 'release', 'source'] as const

export type FacetName = (typeof facetNames)[number]

export type Facet = {
  field: FacetName
  label: string
  values: FacetValue[]
  /**
   * Shows the field with all its values and a search among them, or with the most frequent alone again. `null` where
   * there are no more.
   */
  href: string | null
  /** What is searched for among the values, where they are all shown; else `null`. */
  find: string | null
}

export type FacetValue = {
  value: string
  /** `null` for a value that the search leaves out. */
  count: number | null
  state: 'none' | 'included' | 'excluded'
  /** Each of the two takes back what it did, where the search has it already. */
  includeHref: string
  excludeHref: string
}
