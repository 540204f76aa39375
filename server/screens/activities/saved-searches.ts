import { paths } from '../../../shared/paths.ts'
import type { ActivitiesContent } from '../../../shared/screens/activities.ts'
import type { Store } from '../../store/store.ts'
import { savedViewOf } from './log-view.ts'

/** Returns the saved searches and the form that saves the current search. */
export async function savedViews(
  params: URLSearchParams,
  { savedSearches }: Pick<Store, 'savedSearches'>,
): Promise<Pick<ActivitiesContent, 'saved' | 'saveForm'>> {
  const view = savedViewOf(params)
  const searches = await savedSearches.list()
  return {
    saved: searches.map(({ id, name, view: savedView }) => ({
      id,
      name,
      href: paths.savedActivities(savedView),
      active: savedView === view,
    })),
    saveForm: { view, name: '', problem: null },
  }
}
