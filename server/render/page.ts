import type { Contents, Page, ScreenContent } from '../../shared/page.ts'
import type { Preferences } from '../../shared/preferences.ts'
import { type ScreenId, screens } from '../../shared/screens.ts'
import type { Build } from '../build.ts'
import type { Context } from '../context.ts'
import { actionOf, contentOf } from '../screens/index.ts'
import type { ScreenAnswer, ScreenRequest } from '../screens/screen.ts'

/** What a request for a screen comes to: a page to render, or another URL to go to. */
export type Prepared =
  | { kind: 'page'; page: Page; status: 200 | 404 | 422 }
  | { kind: 'redirect'; location: string; preferences: Preferences | null }

/** What is asked of a screen: by GET its content, by POST (`form`) that it does something. */
export type Asked = ScreenRequest & {
  screen: ScreenId
  /** Path and query as they came. */
  url: string
  form: URLSearchParams | null
}

/** Asks the screen for its content and makes the page of it. */
export function preparePage(asked: Asked, context: Context): Promise<Prepared> {
  switch (asked.screen) {
    case 'home':
      return prepare('home', asked, context, content => ({ screen: 'home', content }))
    case 'activities':
      return prepare('activities', asked, context, content => ({ screen: 'activities', content }))
    case 'dashboard':
      return prepare('dashboard', asked, context, content => ({ screen: 'dashboard', content }))
    case 'development':
      return prepare('development', asked, context, content => ({ screen: 'development', content }))
    case 'settings':
      return prepare('settings', asked, context, content => ({ screen: 'settings', content }))
    case 'ui':
      return prepare('ui', asked, context, content => ({ screen: 'ui', content }))
  }
}

/** The page for a path that no screen has. */
export function notFoundPage(url: string, preferences: Preferences, nowMs: number, build: Build): Page {
  return { ...pageBase('Not found', { url, preferences, nowMs }, build), screen: null, content: null }
}

async function prepare<Id extends ScreenId>(
  id: Id,
  asked: Asked,
  context: Context,
  part: (content: Contents[Id]) => ScreenContent,
): Promise<Prepared> {
  const answer = await answerOf(id, asked, context)
  if (answer.kind === 'redirect') {
    return { kind: 'redirect', location: answer.location, preferences: answer.preferences ?? null }
  }
  const base = pageBase(answer.title ?? screens[id].title, asked, context.build)
  return { kind: 'page', page: { ...base, ...part(answer.content) }, status: answer.status ?? 200 }
}

function answerOf<Id extends ScreenId>(id: Id, asked: Asked, context: Context): Promise<ScreenAnswer<Id>> {
  const act = actionOf[id]
  if (asked.form === null) return contentOf[id](asked, context)
  if (act === undefined) throw new Error(`The screen ${id} takes no forms`)
  return act(asked.form, asked, context)
}

function pageBase(
  title: string,
  { url, preferences, nowMs }: Pick<Asked, 'url' | 'preferences' | 'nowMs'>,
  build: Build,
) {
  return { build: build.build, url, title: `${title} · Sixpane`, nowMs, preferences }
}
