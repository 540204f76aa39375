import type { Preferences } from './preferences.ts'
import type { ActivitiesContent } from './screens/activities.ts'
import type { DashboardContent } from './screens/dashboard.ts'
import type { DevelopmentContent } from './screens/development.ts'
import type { HomeContent } from './screens/home.ts'
import type { SettingsContent } from './screens/settings.ts'
import type { UiContent } from './screens/ui.ts'
import type { ScreenId } from './screens.ts'
import type { Role } from './user.ts'

/** The content of each screen: a plain, serialisable value that the server prepares for a request. */
export type Contents = {
  home: HomeContent
  activities: ActivitiesContent
  dashboard: DashboardContent
  development: DevelopmentContent
  settings: SettingsContent
  ui: UiContent
}

/** A page. The server renders it, and the browser hydrates it or navigates to it. `content` is `null` on the not-found page. */
export type Page = {
  /**
   * Identifies the build of the server that rendered the page, and the permissions of the visitor. If either has
   * changed, navigation loads the whole document.
   */
  build: string
  /** Path and query of the page, without the confirmation of a change, and with instants instead of local times. */
  url: string
  title: string
  /** When the server prepared the content. Relative times refer to this time. */
  nowMs: number
  preferences: Preferences
  /** The visitor's role, unless it is `admin`. */
  role?: Exclude<Role, 'admin'>
  /** The visitor's input for the time range, if it is invalid: a typed range, or a start and end. */
  invalidRange?: { time: string } | { from: string; to: string }
  /** Whether to fail deliberately when this page hydrates. */
  drill?: 'client'
  /** The HTML of the content's fragments, by name. Set only in the browser. */
  fragments?: Readonly<Record<string, string>>
} & (ScreenContent | { screen: null; content: null })

/** A screen and its content. */
export type ScreenContent = { [Id in ScreenId]: { screen: Id; content: Contents[Id] } }[ScreenId]
