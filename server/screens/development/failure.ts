import type { EventRow, LogEvent } from '../../../shared/event.ts'
import type { FailureRow } from '../../../shared/failure.ts'
import { fieldEquals, type Query } from '../../../shared/query.ts'
import { spanning, type Window } from '../../../shared/range.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'
import type { Context } from '../../context.ts'
import type { ScreenRequest } from '../screen.ts'
import { failureHistory } from './failure-history.ts'
import { listedFingerprints, requestedMerge } from './failure-merge.ts'
import { occurrenceContext } from './occurrence-context.ts'
import { keyUnlessNewest } from './occurrence-key.ts'
import { requestLog } from './request-log.ts'
import { requestedDigest } from './requested-failure.ts'

const occurrencesLimit = 20

/**
 * Loads all details of a failure, or returns `null` if it has no stored events.
 * @param idsOfDigest the ids of the failures with the digest in the URL
 */
export async function failureDetail(
  id: string,
  idsOfDigest: readonly string[],
  window: Window,
  bucketMs: number,
  { store, failures, failureMonitor }: Pick<Context, 'store' | 'failures' | 'failureMonitor'>,
  request: ScreenRequest,
): Promise<FailureDetail | null> {
  const { params, signal } = request
  const loadFailure = (id: string) => store.failure(id, bucketMs, window, signal)
  const stored = await loadFailure(id)
  if (stored === null) return null
  const row = isReturnPossible(stored) ? await scanAgain(loadFailure, id, failureMonitor) : stored
  if (row === null) return null
  const lifetime = spanning(row.firstSeenMs, row.lastSeenMs)
  const occurrencesOf = async (query: Query) =>
    (await store.events({ window: lifetime, query, limit: occurrencesLimit }, signal)).events
  const digest = requestedDigest(params)
  const all: Query = { kind: 'field', field: 'failure', comparison: '=', value: id }
  const ofDigest = digest === null ? all : and(all, fieldEquals('digest', digest))
  const [withDigest, othersWithDigest, perRelease, history, grouping, merge] = await Promise.all([
    digest === null ? [] : occurrencesOf(ofDigest),
    failuresWithDigest(idsOfDigest, id, loadFailure),
    store.failureReleases(id, signal),
    failureHistory(row, request, store),
    listedFingerprints(id, request, store),
    requestedMerge(row, request, store),
  ])
  // If occurrences with the digest in the URL are stored, show only those.
  const shownDigest = withDigest.length > 0 ? digest : null
  const occurrences = shownDigest === null ? await occurrencesOf(all) : withDigest
  const [newest] = occurrences
  const listedFromServer = occurrences.filter(each => !hasOnlyDigest(each))
  const fromServer =
    listedFromServer.length > 0
      ? listedFromServer
      : await occurrencesOf(and(shownDigest === null ? all : ofDigest, notFromBrowser))
  const withOtherDigest =
    shownDigest === null || fromServer.length > 0 ? [] : await occurrencesOf(and(all, notFromBrowser))
  // Some occurrences have no exception, so use the stack of the newest one with an exception.
  const thrown =
    [...fromServer, ...withOtherDigest, ...occurrences].find(({ exceptionType }) => exceptionType !== null) ??
    newest
  const wholeEvent = (event: EventRow | undefined) =>
    event === undefined ? null : store.event(event.id, signal)
  const newestEvent = wholeEvent(newest)
  const [latest, withStack, log] = await Promise.all([
    newestEvent,
    thrown === newest ? newestEvent : wholeEvent(thrown),
    requestLog(id, occurrences, store, signal),
  ])
  const shown = withStack ?? latest
  const stack = withStack?.exception?.stack ?? null
  return {
    ...row,
    ...history,
    digests:
      shownDigest === null ? row.digests : withFirst(withDigest[0]?.digest ?? shownDigest, row.digests),
    ...grouping,
    merge,
    splitProblem: null,
    shownDigest,
    missingDigest: shownDigest === null ? digest : null,
    othersWithDigest,
    frames: stack === null ? [] : await failures.frames(stack, withStack ?? undefined),
    stack,
    stackOccurrence: withStack && keyUnlessNewest(withStack, newest),
    hasStackOfOtherDigest: withOtherDigest.some(({ id }) => id === withStack?.id),
    occurrences,
    requestLog: log,
    latest: latest && withoutShownAttributes(latest),
    context: shown === null ? null : occurrenceContext(shown),
    perRelease: perRelease.releases,
    omittedReleases: perRelease.omitted,
  }
}

const notFromBrowser: Query = { kind: 'not', query: fieldEquals('source', 'browser') }

function and(left: Query, right: Query): Query {
  return { kind: 'and', left, right }
}

/** Whether the failure has occurred since it was resolved. */
function isReturnPossible({ state, resolved, lastSeenMs }: FailureRow): boolean {
  return state === 'resolved' && resolved !== null && lastSeenMs > resolved.atMs
}

/**
 * Scans again, because the monitor may not have seen the newest occurrence yet. The page must not show a failure as resolved
 * if it has recurred.
 */
async function scanAgain(
  loadFailure: (id: string) => Promise<FailureRow | null>,
  id: string,
  failureMonitor: Context['failureMonitor'],
): Promise<FailureRow | null> {
  await failureMonitor.scan()
  return loadFailure(id)
}

/** Whether the occurrence comes from a browser that knows only the digest of an error on the server. */
function hasOnlyDigest({ source, digest }: EventRow): boolean {
  return source === 'browser' && digest !== null
}

/** Loads the failures with a digest, except the one on the page. */
async function failuresWithDigest(
  ids: readonly string[],
  exceptId: string,
  loadFailure: (id: string) => Promise<FailureRow | null>,
): Promise<FailureDetail['othersWithDigest']> {
  const rows = await Promise.all(ids.filter(id => id !== exceptId).map(loadFailure))
  return rows.flatMap(row => (row === null ? [] : [{ id: row.id, type: row.type, message: row.message }]))
}

/** Omits long attributes that the page shows elsewhere. */
function withoutShownAttributes(event: LogEvent): LogEvent {
  // Other sources may use these attribute names for other data.
  if (event.source !== 'sentry') return event
  const { breadcrumbs, sourceLines, ...attributes } = event.attributes
  return { ...event, attributes }
}

function withFirst(first: string, digests: string[]): string[] {
  return [first, ...digests.filter(digest => digest !== first)]
}
