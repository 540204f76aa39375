import { paths } from '../../../shared/paths.ts'
import type { ActivitiesContent } from '../../../shared/screens/activities.ts'
import type { Store } from '../../store/store.ts'
import { savedViewOf } from './log-view.ts'

/** The named views, with the form that names this one. */
export async function savedViews(
  params: URLSearchParams,
  { savedSearches }: Pick<Store, 'savedSearches'>,
): Promise<Pick<ActivitiesContent, 'saved' | 'saveForm'>> {
  const view = savedViewOf(params)
  const kept = await savedSearches.list()
  return {
    saved: kept.map(({ id, name, view: its }) => ({
      id,
      name,
      href: paths.savedActivities(its),
      active: its === view,
    })),
    saveForm: { view, name: '', problem: null },
  }
}
