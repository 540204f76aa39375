import { paths } from '../../../shared/paths.ts'
import { screenAt } from '../../../shared/screens.ts'
import type { Redirect, ScreenRequest } from '../screen.ts'

/** Switches the visitor to UTC or to the time zone of the browser, and returns to the page that contained the form. */
export function changeZone(
  form: URLSearchParams,
  { preferences, origin }: Pick<ScreenRequest, 'preferences' | 'origin'>,
): Redirect {
  const isUtc = form.get('zone') === 'UTC'
  return {
    kind: 'redirect',
    location: screenPath(form.get('back') ?? '', origin),
    preferences: { ...preferences, timeZone: isUtc ? 'UTC' : '', isBrowserZone: !isUtc },
  }
}

/** Returns the path and query of a screen's URL, or the path of /settings for any other text. The text is untrusted. */
function screenPath(text: string, origin: string): string {
  const url = URL.parse(text, origin)
  const isScreen = url !== null && url.origin === origin && screenAt(url.pathname) !== undefined
  return isScreen ? url.pathname + url.search : paths.settings()
}
