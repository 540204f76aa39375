import { createHash } from 'node:crypto'
import { withoutConfirmation } from '../../shared/confirmation.ts'
import type { Page } from '../../shared/page.ts'
import { invalidRangeOf, withInstants } from '../../shared/parse-range.ts'
import { screens } from '../../shared/screens.ts'
import { joinUrl, splitUrl } from '../../shared/split-url.ts'
import type { User } from '../../shared/user.ts'
import type { Build } from '../build.ts'
import type { Context } from '../context.ts'
import { screenPages } from '../screens/index.ts'
import type { Redirect, ScreenRequest } from '../screens/screen.ts'
import type { PageRequest } from './page-request.ts'

/** The result of a request for a screen: a page to render, or a redirect. */
export type Prepared = { kind: 'page'; page: Page; status: 200 | 404 | 422 } | Redirect

type TimedRequest = PageRequest & Pick<ScreenRequest, 'nowMs'>

/** Runs the screen's handler and creates the page from its result. */
export async function preparePage(request: TimedRequest, context: Context): Promise<Prepared> {
  const response = await respond(request, context)
  if (response.kind === 'redirect') return response
  const { kind, title = screens[request.screen].title, status = 200, ...shown } = response
  return { kind: 'page', page: { ...pageBase(title, request, context.build), ...shown }, status }
}

/** Creates the page for an unknown path. */
export function notFoundPage(
  request: Pick<TimedRequest, 'url' | 'preferences' | 'nowMs' | 'user'>,
  build: Build,
): Page {
  return { ...pageBase('Not found', request, build), screen: null, content: null }
}

function respond(request: TimedRequest, context: Context) {
  const screen = screenPages[request.screen]
  if (request.form === null) return screen.get(request, context)
  if (screen.post === undefined) throw new Error(`The screen ${request.screen} has no forms`)
  return screen.post(request.form, request, context)
}

function pageBase(
  title: string,
  { url, preferences, nowMs, user }: Pick<TimedRequest, 'url' | 'preferences' | 'nowMs' | 'user'>,
  { build }: Build,
) {
  const { role } = user
  const now = { nowMs, ...preferences }
  const invalidRange = invalidRangeOf(splitUrl(url).params, now)
  return {
    build: buildFor(user, build),
    url: urlWithInstants(withoutConfirmation(url), now),
    title: `${title} · Sixpane`,
    nowMs,
    preferences,
    ...(role !== 'admin' && { role }),
    ...(invalidRange !== null && { invalidRange }),
  }
}

/** Returns a URL that shows the same page in every time zone, for the address bar and for forms that return to the page. */
function urlWithInstants(url: string, now: { nowMs: number; timeZone: string }): string {
  const { path, params } = splitUrl(url)
  const resolved = withInstants(params, now)
  return resolved === params ? url : joinUrl(path, resolved)
}

/**
 * Returns a different build for users with different permissions, so that the browser loads a whole document if another user
 * has signed in, instead of keeping some of the previous user's data.
 */
function buildFor({ role, services }: Pick<User, 'role' | 'services'>, build: string): string {
  if (role === 'admin') return build
  const permissions = createHash('sha256')
    .update(JSON.stringify([role, services]))
    .digest('hex')
  return `${build}-${permissions.slice(0, 8)}`
}
