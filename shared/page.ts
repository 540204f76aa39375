import type { Preferences } from './preferences.ts'
import type { ActivitiesContent } from './screens/activities.ts'
import type { DashboardContent } from './screens/dashboard.ts'
import type { DevelopmentContent } from './screens/development.ts'
import type { HomeContent } from './screens/home.ts'
import type { SettingsContent } from './screens/settings.ts'
import type { UiContent } from './screens/ui.ts'
import type { ScreenId } from './screens.ts'

/** The content of each screen: a plain, serialisable value that the server prepares for a request. */
export type Contents = {
  home: HomeContent
  activities: ActivitiesContent
  dashboard: DashboardContent
  development: DevelopmentContent
  settings: SettingsContent
  ui: UiContent
}

/** A page, as rendered by the server and read by hydration and navigation. `content` is `null` on the not-found page. */
export type Page = {
  /** The build that rendered the page. A client from another build loads the whole document instead. */
  build: string
  /** Path and query of the page. */
  url: string
  title: string
  /** The server's time when the content was prepared; relative times refer to it. */
  nowMs: number
  preferences: Preferences
  /** Fail deliberately while this page hydrates. */
  drill?: 'client'
  /** In the browser only: the HTML of the content's fragments, by name. */
  fragments?: Readonly<Record<string, string>>
} & (ScreenContent | { screen: null; content: null })

/** A screen and its content. */
export type ScreenContent = { [Id in ScreenId]: { screen: Id; content: Contents[Id] } }[ScreenId]
