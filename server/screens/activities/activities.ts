import { attributesOf, writeColumns } from '../../../shared/columns.ts'
import type { LogEvent } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import {
  hidingOwnEvents,
  type Query,
  type QueryProblem,
  withOwnEvents,
  withoutTerm,
} from '../../../shared/query.ts'
import {
  type ActivitiesContent,
  activitiesForms,
  type OpenEventContent,
} from '../../../shared/screens/activities.ts'
import { type Severity, severities } from '../../../shared/severity.ts'
import type { Context } from '../../context.ts'
import { asksForOwn, withoutOwnEvents } from '../../query/own-events.ts'
import { maxSearchLength, parseQuery } from '../../query/parse.ts'
import type { FacetCounts, HistogramBucket, Position } from '../../store/event-store.ts'
import { loadNotFoundHints } from '../not-found-hints.ts'
import { defineScreen, type ScreenRequest } from '../screen.ts'
import { handleActivitiesForm } from './action.ts'
import { eventOfBareLink, pageOf, viewAround } from './around.ts'
import { countEvents, countSeparately, facetsOf, severityChips } from './facets.ts'
import { countsBySeverity, drawHistogram, histogramTable } from './histogram.ts'
import { reachesPresent, type View, viewOf, widerRange } from './log-view.ts'
import { loadOpenEvent, noOpenEvent } from './open-event.ts'
import { failureInText, hrefOfPastedId, unknownDigestIn } from './pasted-text.ts'
import { savedViews } from './saved-searches.ts'
import { highlightedWords } from './search-marks.ts'
import { withShownFields } from './shown-fields.ts'
import { severitiesOf, termsOf, withoutField } from './terms.ts'
import { isTraceSearch } from './trace.ts'

const pageLength = 100
/** Maximum number of suggestions when nothing matches. */
const suggestionsLimit = 6

type Params = {
  view: View
  parsed: ReturnType<typeof parseQuery>
  /** The open event; `undefined` if it has not been loaded yet. */
  opened?: LogEvent | null | undefined
}

/** The log: lists the events in a time range that match a search. */
export const activities = defineScreen<'activities', Params, Data>({
  id: 'activities',

  parse(request) {
    const view = viewOf(request)
    return { view, parsed: parseQuery(view.q) }
  },

  async resolve({ view, parsed }, request, { store }) {
    const [opened, found, pastedHref] = await Promise.all([
      eventOfBareLink(view, request, store),
      failureInText(view.q, view.window, store, request.signal),
      hrefOfPastedId(view.q, request, store),
    ])
    if (found !== null) return { kind: 'redirect', location: paths.development(found) }
    if (pastedHref !== null) return { kind: 'redirect', location: pastedHref }
    if (!opened) return { view, parsed, opened }
    const around = viewAround(view, opened, request.nowMs)
    return { view: around, parsed: parseQuery(around.q), opened }
  },

  async load({ view, parsed, opened }, request, context) {
    const typed = 'problem' in parsed ? null : parsed.query
    const filter = typed === null ? null : { window: view.window, query: withoutOwnEvents(typed) }
    if (filter !== null && view.part === 'event') {
      const event = openedEvent(view, opened, request, context)
      const part = await loadOpenEvent(filter, view.event, event, context, request.signal)
      return { saved: noSavedViews, results: null, counted: null, openEvent: part }
    }
    const [saved, results, counted] = await Promise.all([
      savedViews(request, context),
      typed === null || view.isTable ? null : find(view, typed, opened, request, context),
      filter === null || !view.isTable
        ? null
        : context.store.histogram(filter, view.bucketMs, request.signal),
    ])
    return { saved, results, counted, openEvent: null }
  },

  present({ saved, results, counted, openEvent }, { view, parsed }, { preferences, nowMs }) {
    const blank = emptyContent(view, nowMs, saved)
    const { q, range, window, bucketMs, urlColumns: columns } = view
    if ('problem' in parsed) return { content: { ...blank, problem: describeProblem(q, parsed.problem) } }
    const empty = {
      ...blank,
      ownEvents: ownEventsSwitch(view, parsed.query),
      withoutTerms: suggestions(q, text => paths.activities({ q: text, range, columns })),
    }
    const histogram = {
      window,
      bucketMs,
      nowMs,
      clock: preferences,
      hrefFor: paths.activitiesForWindow(q, columns),
      tableHref: paths.activities({ q, range, columns, table: 'histogram' }),
    }
    if (counted !== null) {
      return {
        content: {
          ...empty,
          histogram: drawHistogram(counted, histogram),
          histogramTable: histogramTable(counted, histogram),
        },
      }
    }
    if (openEvent !== null) return { content: { ...empty, ...openEvent } }
    if (results === null) return { content: empty }
    const { page, buckets } = results
    const counts = countsBySeverity(buckets)
    const search = { q, query: parsed.query }
    return {
      content: {
        ...empty,
        cursor: page.cursor,
        unknownDigest: results.unknownDigest,
        marks: highlightedWords(parsed.query),
        total: severities.reduce((sum, severity) => sum + counts[severity], 0),
        countedTo: results.latestId?.lastId ?? null,
        severities: severityChips(
          results.bySeverity === null ? counts : severityCounts(results.bySeverity),
          search,
          text => paths.activities({ q: text, range, columns }),
        ),
        // A trace has its own time axis, and its events need no filters.
        ...(isTraceSearch(parsed.query)
          ? { histogram: null, facets: [] }
          : {
              histogram: drawHistogram(buckets, histogram),
              facets: facetsOf(results.facets, results.separate, search, view),
            }),
        events: page.events.map(row => withShownFields(row, view.columns)),
        ...results.open,
        olderHref: page.older === null ? null : paths.activities({ q, range, before: page.older, columns }),
        newerHref: page.newer === null ? null : paths.activities({ q, range, after: page.newer, columns }),
        // The feed starts after the latest event id, so it includes events that arrive before it opens.
        liveHref:
          results.latestId === null || page.newer !== null ? null : liveHref(view, results.latestId.position),
        queryMs: results.queryMs,
      },
    }
  },

  submit: {
    // The columns are a preference of the visitor.
    roleOf: form => (form.get('form') === activitiesForms.columns ? 'viewer' : 'member'),
    handle: handleActivitiesForm,
  },
})

type Data = {
  saved: Saved
  results: Awaited<ReturnType<typeof find>> | null
  /** The histogram buckets, if the page shows only the histogram table. */
  counted: HistogramBucket[] | null
  /** The open event, if the page shows nothing else. */
  openEvent: OpenEventContent | null
}

const noEvents: Awaited<ReturnType<typeof pageOf>> = { events: [], older: null, newer: null, cursor: {} }

/** Runs all page queries concurrently. */
async function find(
  view: View,
  typed: Query,
  resolvedEvent: LogEvent | null | undefined,
  request: ScreenRequest,
  context: Context,
) {
  const { nowMs, signal } = request
  const { settings, store } = context
  const { q, window, bucketMs, event, columns } = view
  const query = withoutOwnEvents(typed)
  const filter = { window, query }
  const pageQuery = { ...filter, limit: pageLength, attributes: attributesOf(columns) }
  const opened = openedEvent(view, resolvedEvent, request, context)
  const unknownDigest = unknownDigestIn(q)
  const startMs = performance.now()
  const [page, counts, separate, bySeverity, open, latestId, hints] = await Promise.all([
    view.part === 'counts' ? noEvents : pageOf(view, pageQuery, opened, store, signal),
    countEvents(filter, bucketMs, store, signal),
    countSeparately(typed, view, store, signal),
    // If the search has no severity term, the histogram already contains these counts.
    severitiesOf(query) === null
      ? null
      : store.facets(
          { window, query: withoutField(query, 'severity') },
          ['severity'],
          severities.length,
          signal,
        ),
    view.part === 'counts' ? noOpenEvent : loadOpenEvent(filter, event, opened, context, signal),
    reachesPresent(view, nowMs) ? store.since(null, { query, limit: 0 }, signal) : null,
    unknownDigest === null ? null : loadNotFoundHints({ settings, store }, signal),
  ])
  const queryMs = performance.now() - startMs
  return {
    page,
    buckets: counts.histogram,
    facets: counts.facets,
    separate,
    bySeverity,
    open,
    latestId,
    unknownDigest: unknownDigest === null || hints === null ? null : { digest: unknownDigest, hints },
    queryMs,
  }
}

/** Returns the requested event. `resolved` is the event if it has been loaded already. */
function openedEvent(
  { event }: View,
  resolved: LogEvent | null | undefined,
  { signal }: ScreenRequest,
  { store }: Context,
): Promise<LogEvent | null> {
  if (resolved !== undefined || event === null) return Promise.resolve(resolved ?? null)
  return store.event(event, signal)
}

/** The feed sends only the attributes that are shown as columns. */
function liveHref({ q, columns }: View, after: Position): string {
  const attributes = attributesOf(columns)
  return paths.live({ q, after, ...(attributes.length === 0 ? {} : { columns: writeColumns(columns) }) })
}

type Saved = Pick<ActivitiesContent, 'saved' | 'saveForm' | 'confirmation'>

const noSavedViews: Saved = { saved: [], saveForm: { view: '', name: '', problem: null }, confirmation: null }

/** Returns the content of a page without results. */
function emptyContent(view: View, nowMs: number, saved: Saved): ActivitiesContent {
  const { q, range, window, cursor, columns, urlColumns } = view
  const wider = widerRange(range, nowMs)
  return {
    q,
    problem: null,
    unknownDigest: null,
    range,
    window,
    cursor,
    columns,
    urlColumns,
    marks: [],
    total: 0,
    countedTo: null,
    severities: [],
    histogram: null,
    histogramTable: null,
    facets: [],
    facetFind: view.find,
    events: [],
    ...noOpenEvent,
    part: view.part,
    ...saved,
    olderHref: null,
    newerHref: null,
    zoomOutHref: wider === null ? null : paths.activities({ q, range: wider, columns: urlColumns }),
    withoutTerms: [],
    ownEvents: null,
    liveHref: null,
    queryMs: 0,
  }
}

/** Text that is too long for a search was probably pasted to find its digest. */
function describeProblem(q: string, problem: QueryProblem): QueryProblem {
  if (q.length <= maxSearchLength) return problem
  return { ...problem, message: `The text contains no known digest. ${problem.message}` }
}

function ownEventsSwitch(
  { q, range, urlColumns: columns }: View,
  query: Query,
): ActivitiesContent['ownEvents'] {
  const hiding = hidingOwnEvents(q)
  if (hiding !== q) return { shown: true, href: paths.activities({ q: hiding, range, columns }) }
  if (asksForOwn(query)) return null
  return { shown: false, href: paths.activities({ q: withOwnEvents(q), range, columns }) }
}

function suggestions(q: string, hrefFor: (q: string) => string): ActivitiesContent['withoutTerms'] {
  const terms = [...new Set(termsOf(q))]
  return terms
    .map(term => ({ term, rest: withoutTerm(q, term) }))
    .filter(({ rest }) => rest !== q)
    .slice(0, suggestionsLimit)
    .map(({ term, rest }) => ({ term, href: hrefFor(rest) }))
}

function severityCounts(facets: FacetCounts[]): Partial<Record<Severity, number>> {
  const values = facets.find(({ field }) => field === 'severity')?.values ?? []
  return Object.fromEntries(values.map(({ value, count }) => [value, count]))
}
