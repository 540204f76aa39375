import type { AttributeKey, Column } from '../columns.ts'
import type { Confirmation } from '../confirmation.ts'
import type { EventLinks, EventRow, LogEvent } from '../event.ts'
import type { HtmlFragment } from '../html-fragment.ts'
import type { NotFoundHintsData } from '../not-found-hints.ts'
import type { QueryProblem } from '../query.ts'
import type { Range, Window } from '../range.ts'
import type { Severity } from '../severity.ts'
import type { Frame } from '../stack.ts'
import type { Waterfall } from '../waterfall.ts'

export type OpenEvent = LogEvent & Pick<EventRow, 'path'> & { links: EventLinks }

/** The open event. Only this part of the page changes if another event is opened. */
export type OpenEventContent = {
  open: OpenEvent | null
  /** The frames of the open event's stack, with their source if there is a map. */
  openFrames: Frame[]
  /** Arrival time minus event time of the open event. */
  openLateMs: number | null
  /** Whether the requested event does not exist, because it was never stored or has been deleted. */
  openMissing: boolean
  /** The trace or request that the visitor searched for or, if there is none, that of the open event. */
  waterfall: Waterfall | null
}

/** The content of a page without an open event. */
export const noOpenEvent: OpenEventContent = {
  open: null,
  openFrames: [],
  openLateMs: null,
  openMissing: false,
  waterfall: null,
}

/**
 * A page with only the open event, or with only the counts, histogram and filters. The browser loads it to update that part
 * of the displayed log.
 */
export type ActivitiesPart = (typeof activitiesParts)[number]

export const activitiesParts = ['event', 'counts'] as const

export type ActivitiesContent = OpenEventContent & {
  /** The part of the log that the page contains, or `null` for all of it. */
  part: ActivitiesPart | null
  /** The search, as typed. */
  q: string
  /** Confirms a change to the saved searches. */
  confirmation: Confirmation | null
  problem: QueryProblem | null
  /** Set if the search looks like a digest that no event has. */
  unknownDigest: { digest: string; hints: NotFoundHintsData } | null
  range: Range
  window: Window
  columns: Column[]
  /** The columns in the URL; `undefined` if the visitor's preferred columns are shown. */
  urlColumns?: string | undefined
  /** The attribute whose values are counted. Links to other searches and time ranges contain it. */
  facet?: AttributeKey | undefined
  /** The URL of this page without the open event. Always contains a time range. */
  logHref: string
  /** Search terms to highlight. */
  marks: string[]
  /** The number of matching events in the whole window. */
  total: number
  /** The id of the newest stored event when the events were counted; `null` if the window does not reach the present. */
  countedTo: number | null
  /** Matching events by severity, ignoring the severity terms of the search. */
  severities: { severity: Severity; count: number; active: boolean; href: string }[]
  histogram: HtmlFragment | null
  /** A table of the histogram's values, if shown instead of the log. */
  histogramTable: HtmlFragment | null
  facets: Facet[]
  /** The text that filters the fields and values of the facets. */
  facetFind: string
  events: EventRow[]
  olderHref: string | null
  newerHref: string | null
  saved: SavedView[]
  /** The form to save the current search. */
  saveForm: { view: string; name: string; problem: string | null }
  /** Link to a longer range around the window; `null` if the range cannot be widened. */
  zoomOutHref: string | null
  /** If nothing matches, links to the search with one term removed. */
  withoutTerms: { term: string; href: string }[]
  /**
   * Whether the search includes Sixpane's own events, and a link that changes this. `null` if a term of the search already
   * refers to these events.
   */
  ownEvents: { shown: boolean; href: string } | null
  /** Whether the log is empty because no service has sent events yet. */
  noServices: boolean
  /** The live feed of this search; `null` if the page does not extend to the present. */
  liveHref: string | null
  queryMs: number
}

/** A saved search. */
type SavedView = {
  id: string
  name: string
  href: string
  /** Whether this is the current view. */
  active: boolean
}

/**
 * The values of the `form` field, which identifies a form of the screen. The field `page` contains the URL of the page, to
 * which the server returns.
 */
export const activitiesForms = {
  save: 'save',
  deleteSearch: 'forget',
  columns: 'columns',
  undo: 'undo',
} as const

export const facetNames = ['service', 'route', 'status', 'release', 'source'] as const

/** A field, or an attribute, whose values are counted only if the facet is expanded. */
export type FacetName = (typeof facetNames)[number] | AttributeKey

export type Facet = {
  field: FacetName
  /** The title of the field, or the path of the attribute. */
  label: string
  /** The attribute in the search language. */
  term?: string
  values: FacetValue[]
  /** Link that expands or collapses the list of values; `null` if the collapsed list already contains all values. */
  href: string | null
  /** The text of this link. A facet of a field without values and note has none, because it is hidden. */
  action?: string | undefined
  /** Why the list is empty or incomplete. */
  note?: string
  /** Whether the list is expanded. */
  expanded: boolean
}

export type FacetValue = {
  value: string
  /** Whether no search finds only the events with this value. */
  hasNoLink?: true
  /** `null` for an excluded value, or if the values are not counted. */
  count: number | null
  state: 'none' | 'included' | 'excluded'
}
