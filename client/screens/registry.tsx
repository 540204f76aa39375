import type { ReactElement, ReactNode } from 'react'
import type { Page } from '../../shared/page.ts'
import type { DevelopmentContent, DevelopmentPart } from '../../shared/screens/development.ts'
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
  development: () =>
    developmentPage(
      content => content.view === 'failures',
      import('./development/list-view.tsx').then(({ ListView }) => ListView),
    ),
  'development/failure': () =>
    developmentPage(
      content => content.view === 'failure',
      import('./development/failure.tsx').then(({ Failure }) => Failure),
    ),
  'development/connect': () =>
    developmentPage(
      content => content.view === 'connect',
      import('./development/connect.tsx').then(({ Connect }) => Connect),
    ),
  'development/build': () =>
    developmentPage(
      content => content.view === 'build',
      import('./development/build.tsx').then(({ Build }) => Build),
    ),
  'development/drill': () =>
    developmentPage(
      content => content.view === 'drill',
      import('./development/drill.tsx').then(({ Drill }) => Drill),
    ),
  settings: async () => {
    const { default: Settings } = await import('./settings/index.tsx')
    return page => (page.screen === 'settings' ? <Settings content={page.content} /> : null)
  },
  'ui/basic-group': () =>
    cataloguePage(
      content => !isRecords(content),
      import('./ui/basic-group.tsx').then(({ BasicGroup }) => BasicGroup),
    ),
  'ui/record-group': () =>
    cataloguePage(
      isRecords,
      import('./ui/record-group.tsx').then(({ RecordGroup }) => RecordGroup),
    ),
}

type Part<Content> = (props: { content: Content }) => ReactNode

/** Loads the view of /development that shows one kind of content. */
async function developmentPage<Content extends DevelopmentContent>(
  isShown: (content: DevelopmentContent) => content is Content,
  loading: Promise<Part<Content>>,
): Promise<View> {
  const [{ default: Development }, Part] = await Promise.all([import('./development/index.tsx'), loading])
  return ({ screen, content }) =>
    screen === 'development' && isShown(content) ? (
      <Development content={content}>
        <Part content={content} />
      </Development>
    ) : null
}

/** Loads a page of the component catalogue. */
async function cataloguePage<Content extends UiContent>(
  isShown: (content: UiContent) => content is Content,
  loading: Promise<Part<Content>>,
): Promise<View> {
  const [{ default: Ui }, Part] = await Promise.all([import('./ui/index.tsx'), loading])
  return ({ screen, content }) =>
    screen === 'ui' && isShown(content) ? (
      <Ui content={content}>
        <Part content={content} />
      </Ui>
    ) : null
}

/** Loads all views, for the server. */
export async function loadViews(): Promise<Views> {
  const ids = Object.keys(loadView).filter(isViewId)
  return Object.fromEntries(await Promise.all(ids.map(async id => [id, await loadView[id]()])))
}

function isViewId(id: string): id is ViewId {
  return id in loadView
}
