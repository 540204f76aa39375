import { paths } from '../../../shared/paths.ts'
import { activitiesForms } from '../../../shared/screens/activities.ts'
import { parseQuery } from '../../query/parse.ts'
import type { Store } from '../../store/store.ts'
import { failureInText } from '../failure-in-text.ts'
import { defineScreen, type ScreenRequest } from '../screen.ts'
import { handleActivitiesForm } from './activities-actions.ts'
import { eventOfBareLink, viewAround } from './around.ts'
import { presentLog } from './log-content.ts'
import { type LogData, type LogParams, loadLog } from './log-data.ts'
import { type View, viewOf } from './log-view.ts'
import { hrefOfPastedId } from './pasted-text.ts'

/** The log: lists the events in a time range that match a search. */
export const activities = defineScreen<'activities', LogParams, LogData>({
  id: 'activities',

  parse(request) {
    const view = viewOf(request)
    return { view, parsed: parseQuery(view.q) }
  },

  async resolve({ view, parsed }, request, { store }) {
    // Read before any query, because the rows end at `nowMs`. The live feed contains all later events.
    const newest = await store.since(null, { query: { kind: 'all' }, limit: 0 }, request.signal)
    const [opened, location] = await Promise.all([
      eventOfBareLink(view, request, store),
      // A request for a part updates a page that is already open, so it must not redirect, even if the pasted text now
      // identifies a failure, trace or request.
      view.part === null ? locationOfPasted(view, request, store) : null,
    ])
    if (location !== null) return { kind: 'redirect', location }
    if (!opened) return { view, parsed, opened, newest }
    const around = viewAround(view, opened, request.nowMs)
    return { view: around, parsed: parseQuery(around.q), opened, newest }
  },

  load: loadLog,
  present: presentLog,

  submit: {
    // The columns are a preference of the visitor.
    roleOf: form => (form.get('form') === activitiesForms.columns ? 'viewer' : 'member'),
    handle: handleActivitiesForm,
  },
})

/** Returns the URL of the failure, trace or request that pasted text identifies. Returns `null` for other text. */
async function locationOfPasted(
  { q, window }: View,
  request: ScreenRequest,
  store: Store,
): Promise<string | null> {
  const [found, href] = await Promise.all([
    failureInText(q, window, store, request.signal),
    hrefOfPastedId(q, request, store),
  ])
  return found === null ? href : paths.development(found)
}
