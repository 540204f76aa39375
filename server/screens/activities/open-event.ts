import type { LogEvent } from '../../../shared/event.ts'
import { idLinks } from '../../../shared/id-search.ts'
import { paths } from '../../../shared/paths.ts'
import type { OpenEvent, OpenEventContent } from '../../../shared/screens/activities.ts'
import type { Context } from '../../context.ts'
import { requestPath } from '../../store/common/request-path.ts'
import { acceptedMs } from '../../store/common/time.ts'
import type { EventPage, Filter } from '../../store/event-store.ts'
import type { View } from './log-view.ts'
import { waterfall } from './trace.ts'

/**
 * Loads the details of the open event, and the waterfall of a trace or request: the one that the search is for or, if it is
 * for neither, the one that the event belongs to.
 * @param searched the result of `newestOfTrace`
 */
export async function loadOpenEvent(
  filter: Filter,
  { event, urlColumns }: Pick<View, 'event' | 'urlColumns'>,
  opened: Promise<LogEvent | null>,
  searched: Promise<EventPage<LogEvent>> | null,
  { store, failures }: Pick<Context, 'store' | 'failures'>,
  signal: AbortSignal,
): Promise<OpenEventContent> {
  const [open, trace] = await Promise.all([opened, waterfall(filter, opened, searched, store, signal)])
  const stack = open?.exception?.stack ?? null
  return {
    open: open && presentEvent(open, trace?.failure ?? null, urlColumns),
    openFrames: stack === null ? [] : await failures.frames(stack, open ?? undefined),
    openLateMs: open === null ? null : acceptedMs(open.id) - open.timeMs,
    openMissing: event !== null && open === null,
    waterfall: trace?.waterfall ?? null,
  }
}

/** @param firstFailure the first failure in the event's trace or request, to which a failed request links */
function presentEvent(event: LogEvent, firstFailure: string | null, columns: string | undefined): OpenEvent {
  const { fingerprint, status } = event
  const path = requestPath(event)
  const failure = fingerprint ?? ((status ?? 0) >= 500 ? firstFailure : null)
  return {
    ...event,
    ...(path !== null && { path }),
    links: {
      ...idLinks(event, columns),
      ...(failure !== null && { failure: paths.development({ failure }) }),
    },
  }
}
