import type { LogEvent } from '../../../shared/event.ts'
import type { Query } from '../../../shared/query.ts'
import type { Window } from '../../../shared/range.ts'
import type { OpenEventContent } from '../../../shared/screens/activities.ts'
import type { Context } from '../../context.ts'
import { requestPath } from '../../store/common/request-path.ts'
import { acceptedMs } from '../../store/common/time.ts'
import { waterfall } from './trace.ts'

/**
 * Loads the details of the open event, and the waterfall of a trace or request: the one that the search is for or, if it is
 * for neither, the one that the event belongs to.
 */
export async function loadOpenEvent(
  filter: { window: Window; query: Query },
  requestedId: number | null,
  opened: Promise<LogEvent | null>,
  { store, failures }: Pick<Context, 'store' | 'failures'>,
  signal: AbortSignal,
): Promise<OpenEventContent> {
  const [open, trace] = await Promise.all([opened, waterfall(filter, opened, store, signal)])
  const path = open === null ? null : requestPath(open)
  const stack = open?.exception?.stack ?? null
  return {
    open: open === null || path === null ? open : { ...open, path },
    openFrames: stack === null ? [] : await failures.frames(stack, open ?? undefined),
    openLateMs: open === null ? null : acceptedMs(open.id) - open.timeMs,
    openMissing: requestedId !== null && open === null,
    waterfall: trace,
  }
}
