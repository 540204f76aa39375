import type { EventLinks, LogEvent } from './event.ts'
import { paths } from './paths.ts'
import { withTerm } from './query.ts'
import { spanning, type Window } from './range.ts'
import { startOf } from './start-of.ts'

/** A search for all events of a trace or request. */
export type IdSearch = {
  by: 'trace' | 'request'
  id: string
  /** The only service to search, because the id is unique only within one of its processes; `null` for all services. */
  service: string | null
}

type Ids = Pick<LogEvent, 'service' | 'requestId' | 'traceId'>
type Times = Pick<LogEvent, 'timeMs' | 'durationMs'>

/**
 * Time before and after an event in which to search for the rest of its trace or request. Few traces are longer, and a larger
 * window would be slow to query.
 */
const aroundMs = 3_600_000

/** Whether this is a default request id of Fastify (`req-1`) or pino-http (`1`), which is unique only within a process. */
export function isCounterId(requestId: string): boolean {
  return /^(?:req-[\da-z]{1,6}|\d{1,10})$/.test(requestId)
}

/** Returns the searches for all events of an event's trace and request; `null` if the event does not have the id. */
export function idSearches({ service, requestId, traceId }: Ids): Record<IdSearch['by'], IdSearch | null> {
  return {
    trace: traceId === null ? null : { by: 'trace', id: traceId, service: null },
    request:
      requestId === null
        ? null
        : { by: 'request', id: requestId, service: isCounterId(requestId) ? service : null },
  }
}

/** Returns the text of a search. */
export function idSearchText({ by, id, service }: IdSearch): string {
  const text = withTerm('', by, id)
  return service === null ? text : withTerm(text, 'service', service)
}

/** Returns the window in which to search for the rest of an event's trace or request. */
export function windowAround(event: Times): Window {
  return spanning(startOf(event) - aroundMs, event.timeMs + aroundMs)
}

/**
 * Returns the URLs of all events of an event's trace and request.
 * @param columns the columns in the URL of the log
 */
export function idLinks(event: Ids & Times, columns?: string): Pick<EventLinks, IdSearch['by']> {
  const { trace, request } = idSearches(event)
  const linkTo = (search: IdSearch | null) =>
    search === null
      ? undefined
      : paths.activities({ q: idSearchText(search), range: windowAround(event), columns })
  return { trace: linkTo(trace), request: linkTo(request) }
}
