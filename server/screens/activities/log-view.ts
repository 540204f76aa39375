import { type AttributeKey, type Column, isAttributeKey, parseColumns } from '../../../shared/columns.ts'
import { parseRange, rangeParams, withInstants } from '../../../shared/parse-range.ts'
import { type Range, type Span, spanLengthMs, spans, type Window } from '../../../shared/range.ts'
import { type ActivitiesPart, activitiesParts, facetNames } from '../../../shared/screens/activities.ts'
import { divideIntoBuckets } from '../buckets.ts'
import type { ScreenRequest } from '../screen.ts'

/** The parsed URL parameters of the log, with the time window and the bucket length that result from them. */
export type View = {
  q: string
  range: Range
  window: Window
  /** The length of a histogram bucket. */
  bucketMs: number
  /** The cursor of the page of events; empty for the newest page. */
  cursor: { before?: string | undefined; after?: string | undefined }
  /** The id of the open event. */
  event: number | null
  /** Whether to show the histogram table instead of the log. */
  isTable: boolean
  /** The part of the page to load, or `null` for all of it. */
  part: ActivitiesPart | null
  /** The field whose facet is expanded. */
  facet: (typeof facetNames)[number] | null
  /** The attribute whose values are counted. */
  attribute: AttributeKey | undefined
  /** The text that filters the fields and values of the facets. */
  find: string
  columns: Column[]
  /** The columns in the URL; `undefined` if the visitor's preferred columns are shown. */
  urlColumns: string | undefined
}

/** Parses the query string. Invalid parameters are ignored. */
export function viewOf({ params, preferences, nowMs }: ScreenRequest): View {
  const range = parseRange(params, preferences, nowMs)
  const before = params.get('before') || undefined
  const after = params.get('after') || undefined
  const facet = params.get('facet') ?? ''
  return {
    q: (params.get('q') ?? '').trim(),
    range,
    ...divideIntoBuckets(range, nowMs),
    cursor: before !== undefined ? { before } : after !== undefined ? { after } : {},
    event: idOf(params.get('event')),
    part: activitiesParts.find(part => part === params.get('view')) ?? null,
    isTable: params.get('table') === 'histogram',
    facet: facetNames.find(name => name === facet) ?? null,
    attribute: isCountable(facet) ? facet : undefined,
    find: (params.get('find') ?? '').trim().slice(0, maxFindLength),
    columns: parseColumns(params.get('columns') ?? preferences.columns),
    urlColumns: params.get('columns') ?? undefined,
  }
}

/**
 * Returns the part of a query string to save: the search, range and columns, but not the page or the open event. It contains
 * no local times, because visitors in other time zones share the saved searches.
 */
export function savedViewOf(request: Pick<ScreenRequest, 'params' | 'preferences' | 'nowMs'>): string {
  const params = withInstants(request.params, { ...request.preferences, nowMs: request.nowMs })
  const saved = ['q', ...rangeParams, 'columns'].flatMap(name => {
    const value = params.get(name)?.trim() ?? ''
    return value === '' ? [] : [[name, value.slice(0, maxPartLength)]]
  })
  return new URLSearchParams(saved).toString()
}

/** Whether the view extends to the present and may therefore receive new events. */
export function reachesPresent({ range, cursor }: View, nowMs: number): boolean {
  return ('span' in range || range.toMs >= nowMs) && cursor.before === undefined
}

/** The minimum factor by which a relative range is widened, so that a few clicks suffice. */
const widening = 3

/** Returns a longer span, or doubles an absolute range; `null` if the range cannot be widened. */
export function widerRange(range: Range, nowMs: number): Range | null {
  if ('span' in range) {
    const lengthMs = spanLengthMs(range.span)
    const span = spans.find(each => spanLengthMs(each) >= widening * lengthMs) ?? maxSpan
    return lengthMs >= spanLengthMs(maxSpan) ? null : { span }
  }
  const lengthMs = range.toMs - range.fromMs
  if (lengthMs * 2 > spanLengthMs(maxSpan)) return null
  const toMs = Math.max(Math.min(range.toMs + lengthMs / 2, nowMs), range.toMs)
  return { fromMs: Math.floor(toMs - 2 * lengthMs), toMs: Math.ceil(toMs) }
}

const maxSpan: Span = '30d'
const maxFindLength = 200
/** Longer than a valid search (query/parse.ts). */
const maxPartLength = 4000

/** Rejects control characters, because a browser would not send them back unchanged in a form. */
function isCountable(text: string): text is AttributeKey {
  return isAttributeKey(text) && !/\p{Cc}/u.test(text)
}

function idOf(text: string | null): number | null {
  const id = /^\d{1,16}$/.test(text ?? '') ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : null
}
