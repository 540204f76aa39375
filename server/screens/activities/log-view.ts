import { type Column, parseColumns } from '../../../shared/columns.ts'
import { parseRange, type Range, type Span, spanMs, spans, type Window } from '../../../shared/range.ts'
import { type ActivitiesContent, type FacetName, facetNames } from '../../../shared/screens/activities.ts'
import { bucketed } from '../buckets.ts'
import type { ScreenRequest } from '../screen.ts'

/** What the URL of the log asks for. */
export type View = {
  q: string
  range: Range
  window: Window
  /** The length of a bucket of the histogram. */
  bucketMs: number
  cursor: ActivitiesContent['cursor']
  /** The id of the event that is open. */
  event: number | null
  /** The facet that shows all its values, and what is searched for among them. */
  facet: { field: FacetName; find: string } | null
  columns: Column[]
  /** The columns as the URL has them: nothing where they are the visitor's usual ones. */
  urlColumns: string | undefined
}

/** Reads the query string; what cannot be read counts as left out. */
export function viewOf({ params, preferences, nowMs }: ScreenRequest): View {
  const range = parseRange(params, preferences.range)
  const before = params.get('before') || undefined
  const after = params.get('after') || undefined
  return {
    q: (params.get('q') ?? '').trim(),
    range,
    ...bucketed(range, nowMs),
    cursor: before !== undefined ? { before } : after !== undefined ? { after } : {},
    event: idOf(params.get('event')),
    facet: facetOf(params),
    columns: parseColumns(params.get('columns') ?? preferences.columns),
    urlColumns: params.get('columns') ?? undefined,
  }
}

/** The part of a query string that a name is given to: what is searched for and over which time, not the page or event. */
export function savedViewOf(params: URLSearchParams): string {
  const kept = ['q', 'range', 'from', 'to', 'columns'].flatMap(name => {
    const value = params.get(name)?.trim() ?? ''
    return value === '' ? [] : [[name, value.slice(0, maxPartLength)]]
  })
  return new URLSearchParams(kept).toString()
}

/** Whether events that arrive from now on may belong to the view: it is of a time that has not ended yet. */
export function reachesPresent({ range, cursor }: View, nowMs: number): boolean {
  return ('span' in range || range.toMs >= nowMs) && cursor.before === undefined
}

/** The next longer span; twice the time around a window of its own; `null` beyond the longest span. */
export function widerRange(range: Range, nowMs: number): Range | null {
  if ('span' in range) {
    const span = spans[spans.indexOf(range.span) + 1]
    return span === undefined ? null : { span }
  }
  const lengthMs = range.toMs - range.fromMs
  if (lengthMs * 2 > spanMs[maxSpan]) return null
  const toMs = Math.max(Math.min(range.toMs + lengthMs / 2, nowMs), range.toMs)
  return { fromMs: Math.floor(toMs - 2 * lengthMs), toMs: Math.ceil(toMs) }
}

const maxSpan: Span = '30d'
const maxFindLength = 200
/** Longer than any search that the language takes. */
const maxPartLength = 4000

function facetOf(params: URLSearchParams): View['facet'] {
  const field = facetNames.find(name => name === params.get('facet'))
  return field === undefined
    ? null
    : { field, find: (params.get('find') ?? '').trim().slice(0, maxFindLength) }
}

function idOf(text: string | null): number | null {
  const id = /^\d{1,16}$/.test(text ?? '') ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : null
}
