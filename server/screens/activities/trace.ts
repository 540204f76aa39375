import type { LogEvent } from '../../../shared/event.ts'
import {
  type IdSearch,
  idSearches,
  idSearchText,
  isCounterId,
  windowAround,
} from '../../../shared/id-search.ts'
import { paths } from '../../../shared/paths.ts'
import type { Query, QueryField } from '../../../shared/query.ts'
import { spanning, type Window } from '../../../shared/range.ts'
import { isFailureSeverity, severities } from '../../../shared/severity.ts'
import type { Waterfall, WaterfallLine } from '../../../shared/waterfall.ts'
import { idQuery } from '../../query/id-query.ts'
import { requestPath } from '../../store/common/request-path.ts'
import type { EventPage, Filter } from '../../store/event-store.ts'
import type { Store } from '../../store/store.ts'
import { layOut } from './trace-layout.ts'
import { clockSkews } from './trace-skew.ts'
import { type NestedLine, nest } from './trace-tree.ts'

const rowsLimit = 200
/** The maximum number of characters that a row can show. */
const maxTextLength = 200

type TraceRequest = IdSearch & { isSearch: boolean; window: Window }
type Stored = Pick<Store, 'wholeEvents' | 'histogram'>

/** The newest events of the trace or request in the search; `null` if the search is for something else. */
export function newestOfTrace(
  { query, window }: Filter,
  store: Pick<Store, 'wholeEvents'>,
  signal: AbortSignal,
): Promise<EventPage<LogEvent>> | null {
  const requested = traceOfSearch(query, window)
  return requested && newestOf(requested, store, signal)
}

/**
 * Returns the waterfall of the trace or request in the search or, if there is none, of the open event; `null` without
 * either. If the events are too many or too large, only requests, warnings, failures and the open event remain. `failure`
 * is the fingerprint of the first failure in the open event's trace or request, which often caused the later ones; `null`
 * if it is unknown.
 * @param searched the result of `newestOfTrace`
 */
export async function waterfall(
  { query, window }: Filter,
  opened: Promise<LogEvent | null>,
  searched: Promise<EventPage<LogEvent>> | null,
  store: Stored,
  signal: AbortSignal,
): Promise<{ waterfall: Waterfall; failure: string | null } | null> {
  const [open, found] = await Promise.all([opened, searched])
  const requested = traceOfSearch(query, window) ?? (open === null ? null : traceOfEvent(open))
  if (requested === null) return null
  const newest = found ?? (await newestOf(requested, store, signal))
  const { shown, total, events } = await eventsOf(requested, newest, store, signal)
  const isOpenOmitted = open !== null && belongs(open, requested) && !events.some(({ id }) => id === open.id)
  const all = isOpenOmitted ? [...events, open] : events
  if (all.length === 0) return null

  const { fromMs, lengthMs, lines } = layOut(all)
  const { by, id, isSearch } = requested
  // Omitted events may be earlier or later than the others.
  const displayedWindow = shown === 'all' ? { fromMs, toMs: fromMs + lengthMs } : requested.window
  // If events are omitted, pauses would be wrong.
  const nested = nest(lines.filter(({ kind }) => shown === 'all' || kind === 'event'))
  return {
    waterfall: {
      by,
      id,
      isSearch,
      shown,
      total: Math.max(total, all.length),
      fromMs,
      lengthMs,
      services: [...new Set(lines.flatMap(line => (line.kind === 'event' ? [line.event.service] : [])))],
      nestedBy: nested.by,
      lines: nested.lines.map(presentLine),
      skews: clockSkews(all),
      logHref: paths.activities({
        q: idSearchText(requested),
        range: spanning(displayedWindow.fromMs, displayedWindow.toMs),
      }),
    },
    failure: open === null || shown === 'newest' ? null : firstFailure(all, idSearches(open)[by]),
  }
}

function firstFailure(events: readonly LogEvent[], search: IdSearch | null): string | null {
  const failures = events.filter(
    event => event.fingerprint !== null && search !== null && belongs(event, search),
  )
  return failures.toSorted((a, b) => a.timeMs - b.timeMs || a.id - b.id)[0]?.fingerprint ?? null
}

/** Whether a search is for one trace or request and nothing else. */
export function isTraceSearch(query: Query): boolean {
  return traceOfSearch(query, { fromMs: 0, toMs: 0 }) !== null
}

function traceOfSearch(query: Query, window: Window): TraceRequest | null {
  const search = idSearchOf(query)
  return search && { ...search, window, isSearch: true }
}

function idSearchOf(query: Query): IdSearch | null {
  if (query.kind === 'and') {
    const [id, service] = [exactValue(query.left, 'request'), exactValue(query.right, 'service')]
    return id !== null && service !== null && isCounterId(id) ? { by: 'request', id, service } : null
  }
  for (const by of ['trace', 'request'] as const) {
    const id = exactValue(query, by)
    if (id !== null) return { by, id, service: null }
  }
  return null
}

/** Returns the value of the field that the query matches exactly, or `null` for another query. */
function exactValue(query: Query, field: QueryField): string | null {
  if (query.kind !== 'field' || query.field !== field || query.comparison !== '=') return null
  const value = String(query.value)
  return value.includes('*') && query.literal !== true ? null : value
}

function traceOfEvent(open: LogEvent): TraceRequest | null {
  const { trace, request } = idSearches(open)
  const search = trace ?? request
  return search && { ...search, window: windowAround(open), isSearch: false }
}

function belongs({ traceId, requestId, service }: LogEvent, search: IdSearch): boolean {
  const id = search.by === 'trace' ? traceId : requestId
  return isSame(id, search.id) && (search.service === null || isSame(service, search.service))
}

/** Searches ignore case. */
function isSame(one: string | null, two: string): boolean {
  return one?.toLowerCase() === two.toLowerCase()
}

function newestOf(
  { window, ...search }: TraceRequest,
  store: Pick<Store, 'wholeEvents'>,
  signal: AbortSignal,
): Promise<EventPage<LogEvent>> {
  return store.wholeEvents({ window, query: idQuery(search), limit: rowsLimit }, signal)
}

async function eventsOf(
  { window, ...search }: TraceRequest,
  newest: EventPage<LogEvent>,
  store: Stored,
  signal: AbortSignal,
): Promise<Pick<Waterfall, 'shown' | 'total'> & { events: LogEvent[] }> {
  if (newest.older === null) return { shown: 'all', total: newest.events.length, events: newest.events }
  const allEventsQuery = idQuery(search)
  const query: Query = { kind: 'and', left: allEventsQuery, right: notable }
  const [notables, buckets] = await Promise.all([
    store.wholeEvents({ window, query, limit: rowsLimit }, signal),
    store.histogram({ window, query: allEventsQuery }, window.toMs - window.fromMs, signal),
  ])
  const total = buckets.reduce(
    (sum, { counts }) => severities.reduce((count, severity) => count + counts[severity], sum),
    0,
  )
  return { shown: notables.older === null ? 'notable' : 'newest', total, events: notables.events }
}

/** The events needed to understand a trace: requests, warnings and failures. */
const notable: Query = {
  kind: 'or',
  left: { kind: 'exists', field: 'duration' },
  right: { kind: 'field', field: 'severity', comparison: '>=', value: 'warn' },
}

function presentLine(line: NestedLine<LogEvent>): WaterfallLine {
  if (line.kind === 'gap') return line
  const { event, ...position } = line
  const { id, service, severity, durationMs, status } = event
  const isFailed = isFailureSeverity(severity) || (status ?? 0) >= 500
  const request = requestWords(event)
  const said = event.exception === null ? event.body : `${event.exception.type}: ${event.exception.message}`
  const text = [...said.slice(0, 2 * maxTextLength)].slice(0, maxTextLength).join('')
  return {
    ...position,
    id,
    service,
    severity,
    durationMs,
    isFailed,
    request,
    text: text.trim() === request ? '' : text,
  }
}

/** Returns text such as `POST /checkout 500`, because servers log the same message for every request. */
function requestWords(event: LogEvent): string | null {
  const { method, route, status, durationMs } = event
  if (durationMs === null || (method === null && route === null)) return null
  return [method, route ?? requestPath(event), status].filter(part => part !== null).join(' ')
}
