import type { EventRow, LogEvent } from '../../../shared/event.ts'
import type { FailureRow } from '../../../shared/failure.ts'
import { fieldEquals, type Query } from '../../../shared/query.ts'
import { spanning } from '../../../shared/range.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'
import type { Context } from '../../context.ts'
import { occurrenceContext } from './occurrence-context.ts'
import { keyUnlessNewest } from './occurrence-key.ts'
import { requestLog } from './request-log.ts'

const occurrencesLimit = 20

type ShownOccurrences = Pick<
  FailureDetail,
  | 'digests'
  | 'shownDigest'
  | 'missingDigest'
  | 'frames'
  | 'stack'
  | 'stackOccurrence'
  | 'hasStackOfOtherDigest'
  | 'occurrences'
  | 'requestLog'
  | 'latest'
  | 'context'
>

/**
 * Loads the newest occurrences of a failure, and the stack, request log and context of one of them.
 * @param digest if occurrences with this digest are stored, only these are shown
 */
export async function shownOccurrences(
  { id, firstSeenMs, lastSeenMs, digests }: FailureRow,
  digest: string | null,
  { store, failures }: Pick<Context, 'store' | 'failures'>,
  signal: AbortSignal,
): Promise<ShownOccurrences> {
  const lifetime = spanning(firstSeenMs, lastSeenMs)
  const occurrencesOf = async (query: Query) =>
    (await store.events({ window: lifetime, query, limit: occurrencesLimit }, signal)).events
  const all: Query = { kind: 'field', field: 'failure', comparison: '=', value: id }
  const ofDigest = digest === null ? all : and(all, fieldEquals('digest', digest))
  const withDigest = digest === null ? [] : await occurrencesOf(ofDigest)
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
    digests: shownDigest === null ? digests : withFirst(withDigest[0]?.digest ?? shownDigest, digests),
    shownDigest,
    missingDigest: shownDigest === null ? digest : null,
    frames: stack === null ? [] : await failures.frames(stack, withStack ?? undefined),
    stack,
    stackOccurrence: withStack && keyUnlessNewest(withStack, newest),
    hasStackOfOtherDigest: withOtherDigest.some(({ id }) => id === withStack?.id),
    occurrences,
    requestLog: log,
    latest: latest && withoutShownAttributes(latest),
    context: shown === null ? null : occurrenceContext(shown),
  }
}

const notFromBrowser: Query = { kind: 'not', query: fieldEquals('source', 'browser') }

function and(left: Query, right: Query): Query {
  return { kind: 'and', left, right }
}

/** Whether the occurrence comes from a browser that knows only the digest of an error on the server. */
function hasOnlyDigest({ source, digest }: EventRow): boolean {
  return source === 'browser' && digest !== null
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
