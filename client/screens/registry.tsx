import type { ReactElement } from 'react'
import type { Page } from '../../shared/page.ts'
import type { DevelopmentPart } from '../../shared/screens/development.ts'
import type { UiContent } from '../../shared/screens/ui.ts'
import type { ScreenId } from '../../shared/screens.ts'

/** Renders a page, or returns `null` if the page belongs to another screen. */
export type View = (page: Page) => ReactElement | null
/**
 * Parts that most visitors to a screen do not need are separate views: the log with an open event or a trace, one failure,
 * the Connect, Build and Drill pages, and the catalogue of components for events and failures.
 */
export type ViewId =
  | Exclude<ScreenId, 'ui'>
  | 'activities/event-parts'
  | `development/${'failure' | DevelopmentPart}`
  | `ui/${'basic' | 'record'}-group`
export type Views = Partial<Record<ViewId, View>>

/** Returns the id of the view that shows a page, or `null` for the not-found page. */
export function viewIdOf(page: Page): ViewId | null {
  switch (page.screen) {
    case 'activities':
      return page.content.open === null && page.content.waterfall === null
        ? 'activities'
        : 'activities/event-parts'
    case 'development':
      return page.content.view === 'failures' ? 'development' : `development/${page.content.view}`
    case 'ui':
      return isRecords(page.content) ? 'ui/record-group' : 'ui/basic-group'
    default:
      return page.screen
  }
}

type Records = Extract<UiContent, { group: 'events' | 'failures' }>

function isRecords(content: UiContent): content is Records {
  return content.group === 'events' || content.group === 'failures'
}

/** Loads a view. In the browser, each view is a separate chunk. */
export const loadView: Readonly<Record<ViewId, () => Promise<View>>> = {
  home: async () => {
    const { default: Home } = await import('./home/index.tsx')
    return page => (page.screen === 'home' ? <Home content={page.content} /> : null)
  },
  activities: async () => {
    const { default: Activities } = await import('./activities/index.tsx')
    return page => (page.screen === 'activities' ? <Activities content={page.content} parts={null} /> : null)
  },
  'activities/event-parts': async () => {
    const [{ default: Activities }, { eventParts }] = await Promise.all([
      import('./activities/index.tsx'),
      import('./activities/event-parts.tsx'),
    ])
    return page =>
      page.screen === 'activities' ? <Activities content={page.content} parts={eventParts} /> : null
  },
  dashboard: async () => {
    const { default: Dashboard } = await import('./dashboard/index.tsx')
    return page => (page.screen === 'dashboard' ? <Dashboard content={page.content} /> : null)
  },
  development: async () => {
    const [{ default: Development }, { ListView }] = await Promise.all([
      import('./development/index.tsx'),
      import('./development/list-view.tsx'),
    ])
    return page =>
      page.screen === 'development' && page.content.view === 'failures' ? (
        <Development content={page.content}>
          <ListView content={page.content} />
        </Development>
      ) : null
  },
  'development/failure': async () => {
    const [{ default: Development }, { Failure }] = await Promise.all([
      import('./development/index.tsx'),
      import('./development/failure.tsx'),
    ])
    return page =>
      page.screen === 'development' && page.content.view === 'failure' ? (
        <Development content={page.content}>
          <Failure content={page.content} />
        </Development>
      ) : null
  },
  'development/connect': async () => {
    const [{ default: Development }, { Connect }] = await Promise.all([
      import('./development/index.tsx'),
      import('./development/connect.tsx'),
    ])
    return page =>
      page.screen === 'development' && page.content.view === 'connect' ? (
        <Development content={page.content}>
          <Connect snippets={page.content.connect} />
        </Development>
      ) : null
  },
  'development/build': async () => {
    const [{ default: Development }, { Build }] = await Promise.all([
      import('./development/index.tsx'),
      import('./development/build.tsx'),
    ])
    return page =>
      page.screen === 'development' && page.content.view === 'build' ? (
        <Development content={page.content}>
          <Build build={page.content.build} />
        </Development>
      ) : null
  },
  'development/drill': async () => {
    const [{ default: Development }, { Drill }] = await Promise.all([
      import('./development/index.tsx'),
      import('./development/drill.tsx'),
    ])
    return page =>
      page.screen === 'development' && page.content.view === 'drill' ? (
        <Development content={page.content}>
          <Drill drill={page.content.drill} />
        </Development>
      ) : null
  },
  settings: async () => {
    const { default: Settings } = await import('./settings/index.tsx')
    return page => (page.screen === 'settings' ? <Settings content={page.content} /> : null)
  },
  'ui/basic-group': async () => {
    const [{ default: Ui }, { BasicGroup }] = await Promise.all([
      import('./ui/index.tsx'),
      import('./ui/basic-group.tsx'),
    ])
    return page =>
      page.screen === 'ui' && !isRecords(page.content) ? (
        <Ui content={page.content}>
          <BasicGroup content={page.content} />
        </Ui>
      ) : null
  },
  'ui/record-group': async () => {
    const [{ default: Ui }, { RecordGroup }] = await Promise.all([
      import('./ui/index.tsx'),
      import('./ui/record-group.tsx'),
    ])
    return page =>
      page.screen === 'ui' && isRecords(page.content) ? (
        <Ui content={page.content}>
          <RecordGroup content={page.content} />
        </Ui>
      ) : null
  },
}

/** Loads all views, for the server. */
export async function loadViews(): Promise<Views> {
  const ids = Object.keys(loadView).filter(isViewId)
  return Object.fromEntries(await Promise.all(ids.map(async id => [id, await loadView[id]()])))
}

function isViewId(id: string): id is ViewId {
  return id in loadView
}
