import type { ReactElement } from 'react'
import type { Page } from '../../shared/page.ts'
import type { ScreenId } from '../../shared/screens.ts'

/** Renders a page, or returns `null` if the page belongs to another screen. */
export type View = (page: Page) => ReactElement | null
export type Views = Partial<Record<ScreenId, View>>

/** Loads the view of a screen. In the browser, each view is a separate chunk. */
export const loadView: Readonly<Record<ScreenId, () => Promise<View>>> = {
  home: async () => {
    const { default: Home } = await import('./home/index.tsx')
    return page => (page.screen === 'home' ? <Home content={page.content} /> : null)
  },
  activities: async () => {
    const { default: Activities } = await import('./activities/index.tsx')
    return page => (page.screen === 'activities' ? <Activities content={page.content} /> : null)
  },
  dashboard: async () => {
    const { default: Dashboard } = await import('./dashboard/index.tsx')
    return page => (page.screen === 'dashboard' ? <Dashboard content={page.content} /> : null)
  },
  development: async () => {
    const { default: Development } = await import('./development/index.tsx')
    return page => (page.screen === 'development' ? <Development content={page.content} /> : null)
  },
  settings: async () => {
    const { default: Settings } = await import('./settings/index.tsx')
    return page => (page.screen === 'settings' ? <Settings content={page.content} /> : null)
  },
  ui: async () => {
    const { default: Ui } = await import('./ui/index.tsx')
    return page => (page.screen === 'ui' ? <Ui content={page.content} /> : null)
  },
}
