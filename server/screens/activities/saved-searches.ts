import { paths } from '../../../shared/paths.ts'
import type { ActivitiesContent } from '../../../shared/screens/activities.ts'
import { joinUrl, splitUrl } from '../../../shared/split-url.ts'
import type { Context } from '../../context.ts'
import type { ScreenRequest } from '../screen.ts'
import { undoIdOf } from '../undo.ts'
import { savedViewOf } from './log-view.ts'

const confirmations = {
  saved: 'Search saved.',
  deleted: 'Saved search deleted.',
  restored: 'Saved search restored.',
  expired: 'This search can’t be restored any more.',
} as const
type Confirmation = keyof typeof confirmations

/** Adds the confirmation of a change to the saved searches to a URL of the log. */
export function confirmedHref(href: string, done: Confirmation, undoId?: string): string {
  const { path, params } = splitUrl(href)
  params.set('done', done)
  if (undoId !== undefined) params.set('undo', undoId)
  return joinUrl(path, params)
}

function isConfirmation(value: string): value is Confirmation {
  return Object.hasOwn(confirmations, value)
}

/** Returns the saved searches and the form that saves the current search. */
export async function savedViews(
  request: Pick<ScreenRequest, 'params' | 'preferences' | 'nowMs' | 'user'>,
  context: Pick<Context, 'store'>,
): Promise<Pick<ActivitiesContent, 'saved' | 'saveForm' | 'confirmation'>> {
  const { params } = request
  const view = savedViewOf(request)
  const done = params.get('done') ?? ''
  const [searches, confirmation] = await Promise.all([
    context.store.savedSearches.list(),
    isConfirmation(done) ? { text: confirmations[done], undoId: await undoIdOf(request, context) } : null,
  ])
  return {
    saved: searches.map(({ id, name, view: savedView }) => ({
      id,
      name,
      href: paths.savedActivities(savedView),
      // Earlier versions stored local times.
      active: savedViewOf({ ...request, params: new URLSearchParams(savedView) }) === view,
    })),
    saveForm: { view, name: '', problem: null },
    confirmation,
  }
}
