import { attributesOf, writeColumns } from '../../../shared/columns.ts'
import { paths } from '../../../shared/paths.ts'
import {
  hidingOwnEvents,
  type Query,
  type QueryProblem,
  withOwnEvents,
  withoutTerm,
} from '../../../shared/query.ts'
import { type ActivitiesContent, noOpenEvent } from '../../../shared/screens/activities.ts'
import { type Severity, severities } from '../../../shared/severity.ts'
import { mayTargetOwnEvents } from '../../query/own-events.ts'
import { maxSearchLength } from '../../query/parse.ts'
import type { FacetValue, Position } from '../../store/event-store.ts'
import type { Presentation, ScreenRequest } from '../screen.ts'
import { countedAttribute, otherAttributes } from './attribute-facets.ts'
import { facetsOf, severityChips } from './facets.ts'
import { countsBySeverity, drawHistogram, histogramTable } from './histogram.ts'
import type { LogData, LogParams } from './log-data.ts'
import { type View, widerRange } from './log-view.ts'
import { highlightedWords } from './search-marks.ts'
import { withShownFields } from './shown-fields.ts'
import { termsOf } from './terms.ts'
import { isTraceSearch } from './trace.ts'

/** Maximum number of suggestions when nothing matches. */
const suggestionsLimit = 6

/** Builds the content of the page. */
export function presentLog(
  { saved, results, counted, openEvent }: LogData,
  { view, parsed }: LogParams,
  { preferences, nowMs }: ScreenRequest,
): Presentation<'activities'> {
  const blank = emptyContent(view, nowMs, saved)
  const { q, range, window, bucketMs } = view
  const shared = sharedParams(view)
  if ('problem' in parsed) return { content: { ...blank, problem: describeProblem(q, parsed.problem) } }
  const empty = {
    ...blank,
    ownEvents: ownEventsSwitch(view, parsed.query),
    withoutTerms: suggestions(q, text => paths.activities({ q: text, ...shared })),
  }
  const histogram = {
    window,
    bucketMs,
    nowMs,
    clock: preferences,
    hrefFor: paths.activitiesForWindow(q, shared.columns, shared.facet),
    tableHref: paths.activities({ q, range, columns: shared.columns, table: 'histogram' }),
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
  const total = severities.reduce((sum, severity) => sum + counts[severity], 0)
  return {
    content: {
      ...empty,
      logHref: hrefOfLog({ ...view, cursor: page.cursor }),
      unknownDigest: results.unknownDigest,
      marks: highlightedWords(parsed.query),
      total,
      countedTo: results.newest?.lastId ?? null,
      severities: severityChips(
        // If the search has no severity terms, the histogram contains these counts.
        results.bySeverity === null ? counts : severityCounts(results.bySeverity),
        search,
        text => paths.activities({ q: text, ...shared }),
      ),
      // A trace has its own time axis, and its events need no filters.
      ...(isTraceSearch(parsed.query)
        ? { histogram: null, facets: [] }
        : {
            histogram: drawHistogram(buckets, histogram),
            facets: [
              ...countedAttribute(results.attribute, search, view, preferences),
              ...facetsOf(results.facets, results.separate, search, view),
              ...otherAttributes(search, view, total > 0),
            ],
          }),
      events: page.events.map(row => withShownFields(row, view.columns)),
      ...results.open,
      olderHref: page.older === null ? null : paths.activities({ q, ...shared, before: page.older }),
      newerHref: page.newer === null ? null : paths.activities({ q, ...shared, after: page.newer }),
      // The feed starts after the newest event of this page, so that no event is lost before the browser opens the feed.
      liveHref:
        results.newest === null || page.newer !== null ? null : liveHref(view, results.newest.position),
      noServices: results.noServices,
      queryMs: results.queryMs,
    },
  }
}

/** The URL parameters that links to other searches also have. */
function sharedParams({ range, urlColumns: columns, attribute: facet }: View) {
  return { range, columns, facet }
}

/** Returns the URL of the page without the open event. */
function hrefOfLog({ q, range, cursor, urlColumns: columns, facet, attribute, find, isTable }: View): string {
  const table = isTable ? 'histogram' : undefined
  return paths.activities({ q, range, ...cursor, columns, facet: facet ?? attribute, find, table })
}

/** Returns the URL of the live feed, which sends only the attributes that are shown as columns. */
function liveHref({ q, columns, window }: View, after: Position): string {
  const attributes = attributesOf(columns)
  const shown = attributes.length === 0 ? {} : { columns: writeColumns(columns) }
  return paths.live({ q, after: `${after}-${window.toMs}`, ...shown })
}

/** Returns the content of a page without results. */
function emptyContent(view: View, nowMs: number, saved: LogData['saved']): ActivitiesContent {
  const { q, range, window, columns, urlColumns, attribute } = view
  const wider = widerRange(range, nowMs)
  return {
    q,
    problem: null,
    unknownDigest: null,
    range,
    window,
    logHref: hrefOfLog(view),
    columns,
    urlColumns,
    facet: attribute,
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
    zoomOutHref: wider === null ? null : paths.activities({ q, ...sharedParams(view), range: wider }),
    withoutTerms: [],
    ownEvents: null,
    noServices: false,
    liveHref: null,
    queryMs: 0,
  }
}

/** Text that is too long for a search was probably pasted because it contains a digest. */
function describeProblem(q: string, problem: QueryProblem): QueryProblem {
  if (q.length <= maxSearchLength) return problem
  return { ...problem, message: `The text contains no known digest. ${problem.message}` }
}

function ownEventsSwitch(view: View, query: Query): ActivitiesContent['ownEvents'] {
  const { q } = view
  const shared = sharedParams(view)
  const hiding = hidingOwnEvents(q)
  if (hiding !== q) return { shown: true, href: paths.activities({ q: hiding, ...shared }) }
  if (mayTargetOwnEvents(query)) return null
  return { shown: false, href: paths.activities({ q: withOwnEvents(q), ...shared }) }
}

function suggestions(q: string, hrefFor: (q: string) => string): ActivitiesContent['withoutTerms'] {
  const terms = [...new Set(termsOf(q))]
  return terms
    .map(term => ({ term, rest: withoutTerm(q, term) }))
    .filter(({ rest }) => rest !== q)
    .slice(0, suggestionsLimit)
    .map(({ term, rest }) => ({ term, href: hrefFor(rest) }))
}

function severityCounts(values: readonly FacetValue[]): Partial<Record<Severity, number>> {
  return Object.fromEntries(values.map(({ value, count }) => [value, count]))
}
