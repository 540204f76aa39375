import type { LogEvent } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import { fieldEquals, type Query, quoted } from '../../../shared/query.ts'
import { spanning, type Window } from '../../../shared/range.ts'
import { isFailureSeverity, severities } from '../../../shared/severity.ts'
import type { Waterfall, WaterfallLine } from '../../../shared/waterfall.ts'
import { requestPath } from '../../store/common/request-path.ts'
import type { Filter } from '../../store/event-store.ts'
import type { Store } from '../../store/store.ts'
import { layOut, startOf } from './trace-layout.ts'
import { clockSkews } from './trace-skew.ts'
import { type NestedLine, nest } from './trace-tree.ts'

const rowsLimit = 200
/**
 * How far before and after the open event to search for its trace. Few traces are longer, and a larger window would be slow
 * to query.
 */
const aroundMs = 3_600_000
/** The maximum number of characters that a row can show. */
const maxTextLength = 200

type TraceRequest = Pick<Waterfall, 'by' | 'id' | 'isSearch'> & { window: Window }
type Stored = Pick<Store, 'wholeEvents' | 'histogram'>

/**
 * Returns the waterfall of a trace or request across all services. If the search is not for a trace or request, uses the
 * open event's trace or request, or returns `null` if there is neither. If there are too many events, only requests,
 * warnings, failures and the open event remain.
 */
export async function waterfall(
  { query, window }: Filter,
  opened: Promise<LogEvent | null>,
  store: Stored,
  signal: AbortSignal,
): Promise<Waterfall | null> {
  const open = await opened
  const requested = traceOfSearch(query, window) ?? (open === null ? null : traceOfEvent(open))
  if (requested === null) return null
  const { shown, total, events } = await eventsOf(requested, store, signal)
  const isOpenOmitted = open !== null && belongs(open, requested) && !events.some(({ id }) => id === open.id)
  const all = isOpenOmitted ? [...events, open] : events
  if (all.length === 0) return null

  const { fromMs, lengthMs, lines } = layOut(all)
  const { by, id, isSearch } = requested
  // Omitted events may be earlier or later than the others.
  const whole = shown === 'all' ? { fromMs, toMs: fromMs + lengthMs } : requested.window
  // If events are omitted, pauses would be wrong.
  const nested = nest(lines.filter(({ kind }) => shown === 'all' || kind === 'event'))
  return {
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
    failure: shown === 'newest' ? null : firstFailure(all),
    logHref: paths.activities({ q: `${by}:${quoted(id)}`, range: spanning(whole.fromMs, whole.toMs) }),
  }
}

function firstFailure(events: readonly LogEvent[]): string | null {
  const failures = events.filter(({ fingerprint }) => fingerprint !== null)
  return failures.toSorted((a, b) => a.timeMs - b.timeMs || a.id - b.id)[0]?.fingerprint ?? null
}

/** Whether a search is for one trace or request and nothing else. */
export function isTraceSearch(query: Query): boolean {
  return traceOfSearch(query, { fromMs: 0, toMs: 0 }) !== null
}

function traceOfSearch(query: Query, window: Window): TraceRequest | null {
  if (query.kind !== 'field' || query.comparison !== '=') return null
  const { field, literal } = query
  const value = String(query.value)
  if ((field !== 'trace' && field !== 'request') || (value.includes('*') && literal !== true)) return null
  return { by: field, id: value, window, isSearch: true }
}

function traceOfEvent(open: LogEvent): TraceRequest | null {
  const { traceId, requestId } = open
  const window = { fromMs: startOf(open) - aroundMs, toMs: open.timeMs + aroundMs }
  if (traceId !== null) return { by: 'trace', id: traceId, window, isSearch: false }
  return requestId === null ? null : { by: 'request', id: requestId, window, isSearch: false }
}

function belongs(event: LogEvent, { by, id }: TraceRequest): boolean {
  const own = by === 'trace' ? event.traceId : event.requestId
  return own?.toLowerCase() === id.toLowerCase()
}

async function eventsOf(
  { by, id, window }: TraceRequest,
  store: Stored,
  signal: AbortSignal,
): Promise<Pick<Waterfall, 'shown' | 'total'> & { events: LogEvent[] }> {
  const whole = fieldEquals(by, id)
  const page = await store.wholeEvents({ window, query: whole, limit: rowsLimit }, signal)
  if (page.older === null) return { shown: 'all', total: page.events.length, events: page.events }
  const query: Query = { kind: 'and', left: whole, right: notable }
  const [notables, buckets] = await Promise.all([
    store.wholeEvents({ window, query, limit: rowsLimit }, signal),
    store.histogram({ window, query: whole }, window.toMs - window.fromMs, signal),
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
