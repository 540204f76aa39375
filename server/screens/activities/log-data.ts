import { attributesOf } from '../../../shared/columns.ts'
import { likelyDigestIn } from '../../../shared/digest-candidates.ts'
import type { LogEvent } from '../../../shared/event.ts'
import { rangeQuery } from '../../../shared/paths.ts'
import type { Query } from '../../../shared/query.ts'
import {
  type ActivitiesContent,
  noOpenEvent,
  type OpenEventContent,
} from '../../../shared/screens/activities.ts'
import type { Context } from '../../context.ts'
import { withoutOwnEvents } from '../../query/own-events.ts'
import type { parseQuery } from '../../query/parse.ts'
import type { EventsSince, HistogramBucket } from '../../store/event-store.ts'
import { loadNotFoundHints } from '../not-found-hints.ts'
import { isOnlyOwn } from '../only-own.ts'
import type { ScreenRequest } from '../screen.ts'
import { pageOf } from './around.ts'
import { countAttribute } from './attribute-counts.ts'
import { countEvents, countFound, countSeparately } from './facets.ts'
import { loadPage } from './load-page.ts'
import { reachesPresent, type View } from './log-view.ts'
import { loadOpenEvent } from './open-event.ts'
import { savedViews } from './saved-searches.ts'
import { newestOfTrace } from './trace.ts'

const pageLength = 100

export type LogParams = {
  view: View
  parsed: ReturnType<typeof parseQuery>
  /** The open event; `undefined` if it has not been loaded yet. */
  opened?: LogEvent | null | undefined
  /** The newest event that was stored when the page got its turn; `undefined` if it has not been read yet. */
  newest?: Pick<EventsSince, 'lastId' | 'position'> | undefined
}

export type LogData = {
  saved: Pick<ActivitiesContent, 'saved' | 'saveForm' | 'confirmation'>
  results: Awaited<ReturnType<typeof loadResults>> | null
  /** The histogram buckets, if the page shows only the histogram table. */
  counted: HistogramBucket[] | null
  /** The open event, if the page shows nothing else. */
  openEvent: OpenEventContent | null
}

/** Loads what the page shows. A page with only the open event or the histogram table needs less. */
export async function loadLog(
  { view, parsed, opened, newest }: LogParams,
  request: ScreenRequest,
  context: Context,
): Promise<LogData> {
  const typed = 'problem' in parsed ? null : parsed.query
  const filter = typed === null ? null : { window: view.window, query: withoutOwnEvents(typed) }
  if (filter !== null && view.part === 'event') {
    const event = openedEvent(view, opened, request, context)
    const searched = newestOfTrace(filter, context.store, request.signal)
    const part = await loadOpenEvent(filter, view, event, searched, context, request.signal)
    return { saved: noSavedViews, results: null, counted: null, openEvent: part }
  }
  const [saved, results, counted] = await Promise.all([
    savedViews({ ...request, params: shownParams(view, opened, request) }, context),
    typed === null || view.isTable ? null : loadResults({ view, opened, newest }, typed, request, context),
    filter === null || !view.isTable ? null : context.store.histogram(filter, view.bucketMs, request.signal),
  ])
  return { saved, results, counted, openEvent: null }
}

/** Returns the parameters. If they contain an event but no range, adds the range and search derived from the event. */
function shownParams(
  { q, range }: View,
  opened: LogParams['opened'],
  { params }: ScreenRequest,
): URLSearchParams {
  if (!opened) return params
  return new URLSearchParams({ ...Object.fromEntries(params), ...rangeQuery(range), q })
}

const noSavedViews: LogData['saved'] = {
  saved: [],
  saveForm: { view: '', name: '', problem: null },
  confirmation: null,
}

const noEvents: Awaited<ReturnType<typeof pageOf>> = { events: [], older: null, newer: null, cursor: {} }

/** Runs the page queries concurrently, except one that only an empty page needs. */
async function loadResults(
  { view, opened: resolved, newest }: Omit<LogParams, 'parsed'>,
  typed: Query,
  request: ScreenRequest,
  context: Context,
) {
  const { nowMs, signal } = request
  const { settings, store } = context
  const { q, window, bucketMs, columns } = view
  const query = withoutOwnEvents(typed)
  const filter = { window, query }
  const pageQuery = { ...filter, limit: pageLength, attributes: attributesOf(columns) }
  const opened = openedEvent(view, resolved, request, context)
  const unknownDigest = likelyDigestIn(q)
  const startMs = performance.now()
  const searched = view.part === 'counts' ? null : newestOfTrace(filter, store, signal)
  const paging =
    view.part === 'counts'
      ? null
      : pageOf(view, pageQuery, loadPage(view, pageQuery, searched, store, signal), opened, store, signal)
  // If there are several pages, none of them contains all events.
  const counting =
    paging === null || Object.keys(view.cursor).length > 0
      ? countEvents(filter, bucketMs, store, signal)
      : countFound(filter, bucketMs, paging, store, signal)
  const [page, counts, separate, attribute, open, hints] = await Promise.all([
    paging ?? noEvents,
    counting,
    countSeparately(typed, view, store, signal),
    countAttribute(typed, view, counting, store, signal),
    view.part === 'counts' ? noOpenEvent : loadOpenEvent(filter, view, opened, searched, context, signal),
    unknownDigest === null ? null : loadNotFoundHints({ settings, store }, request),
  ])
  const queryMs = performance.now() - startMs
  const isEmpty = q === '' && view.part === null && page.events.length === 0
  return {
    page,
    buckets: counts.histogram,
    facets: counts.facets,
    separate,
    attribute,
    bySeverity: counts.bySeverity,
    open,
    newest: newest !== undefined && reachesPresent(view, nowMs) ? newest : null,
    unknownDigest: unknownDigest === null || hints === null ? null : { digest: unknownDigest, hints },
    noServices: isEmpty && isOnlyOwn(await store.seenSources(signal), request.user),
    queryMs,
  }
}

/**
 * Returns the requested event, or `null` for counts, which do not need it.
 * @param resolved the event if it has been loaded already
 */
function openedEvent(
  { event, part }: View,
  resolved: LogEvent | null | undefined,
  { signal }: ScreenRequest,
  { store }: Context,
): Promise<LogEvent | null> {
  if (resolved !== undefined || event === null || part === 'counts') return Promise.resolve(resolved ?? null)
  return store.event(event, signal)
}
