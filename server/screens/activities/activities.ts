import { paths } from '../../../shared/paths.ts'
import { activitiesForms } from '../../../shared/screens/activities.ts'
import { parseQuery } from '../../query/parse.ts'
import { failureInText } from '../failure-in-text.ts'
import { defineScreen } from '../screen.ts'
import { handleActivitiesForm } from './activities-actions.ts'
import { eventOfBareLink, viewAround } from './around.ts'
import { presentLog } from './log-content.ts'
import { type LogData, type LogParams, loadLog } from './log-data.ts'
import { viewOf } from './log-view.ts'
import { hrefOfPastedId } from './pasted-text.ts'

/** The log: lists the events in a time range that match a search. */
export const activities = defineScreen<'activities', LogParams, LogData>({
  id: 'activities',

  parse(request) {
    const view = viewOf(request)
    return { view, parsed: parseQuery(view.q) }
  },

  async resolve({ view, parsed }, request, { store }) {
    const [opened, found, pastedHref] = await Promise.all([
      eventOfBareLink(view, request, store),
      failureInText(view.q, view.window, store, request.signal),
      hrefOfPastedId(view.q, request, store),
    ])
    if (found !== null) return { kind: 'redirect', location: paths.development(found) }
    if (pastedHref !== null) return { kind: 'redirect', location: pastedHref }
    if (!opened) return { view, parsed, opened }
    const around = viewAround(view, opened, request.nowMs)
    return { view: around, parsed: parseQuery(around.q), opened }
  },

  load: loadLog,
  present: presentLog,

  submit: {
    // The columns are a preference of the visitor.
    roleOf: form => (form.get('form') === activitiesForms.columns ? 'viewer' : 'member'),
    handle: handleActivitiesForm,
  },
})
