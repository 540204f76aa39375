import { attributesOf, writeColumns } from '../../../shared/columns.ts'
import { type Severity, severities } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import { type Query, type QueryProblem, withoutTerm } from '../../../shared/query.ts'
import type { ActivitiesContent } from '../../../shared/screens/activities.ts'
import type { Context } from '../../context.ts'
import { parseQuery } from '../../query/parse.ts'
import type { FacetCounts } from '../../store/event-store.ts'
import type { Screen, ScreenRequest } from '../screen.ts'
import { keptEvents } from '../stored-events.ts'
import { pageOf, viewAround } from './around.ts'
import { countFacets, facetsOf, severityChips } from './facets.ts'
import { countsBySeverity, drawHistogram } from './histogram.ts'
import { reachesPresent, type View, viewOf, widerRange } from './log-view.ts'
import { digestIn, failureOfDigest, looksLikeDigest } from './pasted-digest.ts'
import { hrefOfPastedId } from './pasted-id.ts'
import { savedViews } from './saved-searches.ts'
import { marksOf } from './search-marks.ts'
import { severitiesOf, termsOf, withoutSeverities } from './terms.ts'
import { waterfall } from './trace.ts'

const pageLength = 100
/** More terms than this are no help where nothing matches. */
const mostSuggestions = 6

/** The log: what was searched for, over the time that was asked for. */
export const activities: Screen<'activities'> = async (request, context) => {
  const { store } = context
  const view = await viewAround(viewOf(request), request, store)
  const digest = digestIn(view.q)
  const failure = await failureOfDigest(digest, view.window, store, request.signal)
  if (failure !== null) {
    return { kind: 'redirect', location: paths.development({ failure, digest }) }
  }
  const pasted = await hrefOfPastedId(view.q, request, store)
  if (pasted !== null) return { kind: 'redirect', location: pasted }
  const parsed = parseQuery(view.q)
  if ('problem' in parsed) {
    const saved = await savedViews(request.params, store)
    return { kind: 'content', content: unreadable(view, parsed.problem, request.nowMs, saved) }
  }
  return { kind: 'content', content: await found(view, parsed.query, request, context) }
}

async function found(
  view: View,
  query: Query,
  { params, preferences, nowMs, signal }: ScreenRequest,
  { settings, store }: Context,
): Promise<ActivitiesContent> {
  const { q, range, window, bucketMs, event, columns, columnsAsked } = view
  const filter = { window, query }
  const question = { ...filter, limit: pageLength, attributes: attributesOf(columns) }
  const opened = event === null ? Promise.resolve(null) : store.event(event, signal)
  const startMs = performance.now()
  const [{ page, cursor }, buckets, facets, bySeverity, open, trace, newest, saved, kept] = await Promise.all(
    [
      pageOf(view, question, opened, store, signal),
      store.histogram(filter, bucketMs, signal),
      countFacets(filter, view.facet, store, signal),
      // The histogram has these counts already where the search says nothing of severities.
      severitiesOf(query) === null
        ? null
        : store.facets({ window, query: withoutSeverities(query) }, ['severity'], severities.length, signal),
      opened,
      waterfall(filter, opened, store, signal),
      reachesPresent(view, nowMs) ? store.since(null, { query, limit: 0 }, signal) : null,
      savedViews(params, store),
      looksLikeDigest(digestIn(q)) ? keptEvents({ settings, store }, signal) : null,
    ],
  )
  const queryMs = performance.now() - startMs

  const counts = countsBySeverity(buckets)
  const total = severities.reduce((sum, severity) => sum + counts[severity], 0)
  const search = { q, query }
  const hrefFor = (text: string) => paths.activities({ q: text, range, columns: columnsAsked })
  return {
    ...outline({ ...view, cursor }, nowMs, saved),
    unknownDigest: kept === null ? null : { digest: digestIn(q), kept },
    marks: marksOf(query),
    total,
    severities: severityChips(bySeverity === null ? counts : severityCounts(bySeverity), search, hrefFor),
    histogram: drawHistogram(buckets, {
      window,
      bucketMs,
      clock: preferences,
      hrefFor: paths.activitiesOver(q, columnsAsked),
    }),
    facets: facetsOf(facets, search, view),
    events: page.events,
    open,
    openLateMs: open === null ? null : store.acceptedMs(open.id) - open.timeMs,
    openMissing: event !== null && open === null,
    waterfall: trace,
    olderHref:
      page.older === null ? null : paths.activities({ q, range, before: page.older, columns: columnsAsked }),
    newerHref:
      page.newer === null ? null : paths.activities({ q, range, after: page.newer, columns: columnsAsked }),
    // What is accepted after the newest id that there is: nothing is missed until somebody follows.
    liveHref: newest === null || page.newer !== null ? null : liveHref(view, newest.lastId),
    queryMs,
  }
}

/** The feed says no more of an event than the columns show. */
function liveHref({ q, columns }: View, after: number): string {
  const attributes = attributesOf(columns)
  return paths.live({ q, after, ...(attributes.length === 0 ? {} : { columns: writeColumns(columns) }) })
}

/** What a search that cannot be read still shows: no question is asked of the store. */
function unreadable(view: View, problem: QueryProblem, nowMs: number, saved: Saved): ActivitiesContent {
  return { ...outline(view, nowMs, saved), problem, withoutTerms: [] }
}

type Saved = Pick<ActivitiesContent, 'saved' | 'saveForm'>

/** The content before anything was found. */
function outline(view: View, nowMs: number, saved: Saved): ActivitiesContent {
  const { q, range, window, cursor, columns, columnsAsked } = view
  const wider = widerRange(range, nowMs)
  return {
    q,
    problem: null,
    unknownDigest: null,
    range,
    window,
    cursor,
    columns,
    columnsAsked,
    marks: [],
    total: 0,
    severities: [],
    histogram: null,
    facets: [],
    events: [],
    open: null,
    openLateMs: null,
    openMissing: false,
    waterfall: null,
    ...saved,
    olderHref: null,
    newerHref: null,
    zoomOutHref: wider === null ? null : paths.activities({ q, range: wider, columns: columnsAsked }),
    withoutTerms: suggestions(q, text => paths.activities({ q: text, range, columns: columnsAsked })),
    liveHref: null,
    queryMs: 0,
  }
}

function suggestions(q: string, hrefFor: (q: string) => string): ActivitiesContent['withoutTerms'] {
  const terms = [...new Set(termsOf(q))]
  return terms
    .map(term => ({ term, rest: withoutTerm(q, term) }))
    .filter(({ rest }) => rest !== q)
    .slice(0, mostSuggestions)
    .map(({ term, rest }) => ({ term, href: hrefFor(rest) }))
}

function severityCounts(facets: FacetCounts[]): Partial<Record<Severity, number>> {
  const values = facets.find(({ field }) => field === 'severity')?.values ?? []
  return Object.fromEntries(values.map(({ value, count }) => [value, count]))
}
