import type { ScreenId } from '../../shared/screens.ts'
import { actOnActivities } from './activities/action.ts'
import { activities } from './activities/activities.ts'
import { dashboard } from './dashboard/dashboard.ts'
import { development } from './development/development.ts'
import { actOnDevelopment } from './development/development-actions.ts'
import { home } from './home/home.ts'
import type { Screen, ScreenAction } from './screen.ts'
import { actOnSettings, settings } from './settings/settings.ts'
import { ui } from './ui/ui.ts'

/** What prepares each screen's content. */
export const contentOf: Readonly<{ [Id in ScreenId]: Screen<Id> }> = {
  home,
  activities,
  dashboard,
  development,
  settings,
  ui,
}

/** The screens that take forms by POST. */
export const actionOf: Readonly<{ [Id in ScreenId]?: ScreenAction<Id> }> = {
  activities: actOnActivities,
  development: actOnDevelopment,
  settings: actOnSettings,
}
