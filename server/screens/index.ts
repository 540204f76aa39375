import type { ScreenId } from '../../shared/screens.ts'
import { activities } from './activities.ts'
import { actOnActivities } from './activities-action.ts'
import { dashboard } from './dashboard.ts'
import { development } from './development.ts'
import { actOnDevelopment } from './development-try.ts'
import { home } from './home.ts'
import type { Screen, ScreenAction } from './screen.ts'
import { actOnSettings, settings } from './settings.ts'
import { ui } from './ui.ts'

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
