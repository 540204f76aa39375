import type { Preferences } from './preferences.ts'
import type { ActivitiesContent } from './screens/activities.ts'
import type { DashboardContent } from './screens/dashboard.ts'
import type { DevelopmentContent } from './screens/development.ts'
import type { HomeContent } from './screens/home.ts'
import type { SettingsContent } from './screens/settings.ts'
import type { UiContent } from './screens/ui.ts'
import type { ScreenId } from './screens.ts'

/** What each screen shows: the plain, serialisable value that the server prepares for one request. */
export type Contents = {
  home: HomeContent
  activities: ActivitiesContent
  dashboard: DashboardContent
  development: DevelopmentContent
  settings: SettingsContent
  ui: UiContent
}

/** One rendered page, as hydration and navigation read it. `null` content: there is no such page. */
export type Page = {
  /** The build that rendered it: a client of another build loads the document instead. */
  build: string
  /** Path and query of the page. */
  url: string
  title: string
  /** The server's clock when the content was prepared; relative times count from it. */
  nowMs: number
  preferences: Preferences
  /** Fail on purpose while this page hydrates. */
  drill?: 'client'
  /** In the browser only: the HTML of each `HtmlFragment` of the content, by name. */
  fragments?: Readonly<Record<string, string>>
} & (ScreenContent | { screen: null; content: null })

/** A screen together with what it shows. */
export type ScreenContent = { [Id in ScreenId]: { screen: Id; content: Contents[Id] } }[ScreenId]
