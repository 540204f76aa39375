import type { EventRow } from '../../../shared/event.ts'
import { idSearches, idSearchText } from '../../../shared/id-search.ts'
import type { Query } from '../../../shared/query.ts'
import { spanning } from '../../../shared/range.ts'
import type { RequestLog } from '../../../shared/screens/development.ts'
import { idQuery } from '../../query/id-query.ts'
import { cursorOf } from '../../store/common/cursor.ts'
import type { Store } from '../../store/store.ts'
import { keyUnlessNewest } from './occurrence-key.ts'

/** Lines before a failure explain it better than lines after it. */
const linesBefore = 30
const linesAfter = 10
/** Time before and after the failure. Longer requests are usually jobs, whose first lines say little about the failure. */
const aroundMs = 15 * 60_000

/**
 * Loads the log lines of the request in which a failure occurred, from all services. Returns the lines nearest to the
 * failure, oldest first. Uses the newest occurrence with a trace or request id; returns `null` if there is none.
 * @param id the id of the failure
 */
export async function requestLog(
  id: string,
  occurrences: readonly EventRow[],
  store: Pick<Store, 'events' | 'failureId'>,
  signal: AbortSignal,
): Promise<RequestLog | null> {
  const occurrence = occurrences.find(({ traceId, requestId }) => traceId !== null || requestId !== null)
  const search = occurrence === undefined ? null : searchFor(occurrence)
  if (occurrence === undefined || search === null) return null
  const { timeMs } = occurrence
  const range = spanning(timeMs - aroundMs, timeMs + aroundMs)
  const query = { window: range, query: search.query }
  const [upTo, after] = await Promise.all([
    // The cursor is directly after the occurrence, so the page starts with the occurrence.
    store.events(
      { ...query, before: cursorOf({ timeMs, id: occurrence.id + 1 }), limit: linesBefore + 1 },
      signal,
    ),
    store.events({ ...query, after: cursorOf(occurrence), limit: linesAfter }, signal),
  ])
  const before = upTo.events.filter(event => event.id !== occurrence.id).reverse()
  return {
    occurrenceId: occurrence.id,
    earlierOccurrence: keyUnlessNewest(occurrence, occurrences[0]),
    events: [...after.events, ...upTo.events].reverse(),
    earlierFailure: await firstOtherFailure(id, before, store, signal),
    more: upTo.older !== null || after.newer !== null,
    q: search.q,
    range,
  }
}

/** Returns the first line that belongs to another failure. The failure's own lines may have any of its fingerprints. */
async function firstOtherFailure(
  id: string,
  lines: readonly EventRow[],
  store: Pick<Store, 'failureId'>,
  signal: AbortSignal,
): Promise<RequestLog['earlierFailure']> {
  const fingerprints = new Set([id])
  for (const { id: eventId, fingerprint } of lines) {
    if (fingerprint === null || fingerprints.has(fingerprint)) continue
    const failureId = await store.failureId(fingerprint, signal)
    if (failureId !== id) return { eventId, failureId }
    fingerprints.add(fingerprint)
  }
  return null
}

/** Searches for both ids, because a service may log only one of them, unless the request id is not unique. */
function searchFor(occurrence: EventRow): { query: Query; q: string } | null {
  const { trace, request } = idSearches(occurrence)
  if (trace !== null && request !== null && request.service === null) {
    return {
      query: { kind: 'or', left: idQuery(trace), right: idQuery(request) },
      q: `${idSearchText(trace)} OR ${idSearchText(request)}`,
    }
  }
  const search = trace ?? request
  return search && { query: idQuery(search), q: idSearchText(search) }
}
