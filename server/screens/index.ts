import type { ScreenId } from '../../shared/screens.ts'
import { activities } from './activities/activities.ts'
import { dashboard } from './dashboard/dashboard.ts'
import { development } from './development/development.ts'
import { home } from './home/home.ts'
import type { Screen } from './screen.ts'
import { settings } from './settings/settings.ts'
import { ui } from './ui/ui.ts'

/** The server side of each screen. The client side is in `client/screens/registry.tsx`. */
export const screenPages: Readonly<{ [Id in ScreenId]: Screen<Id> }> = {
  home,
  activities,
  dashboard,
  development,
  settings,
  ui,
}
