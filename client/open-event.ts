import type { Page } from '../shared/page.ts'
import { rangeParams } from '../shared/parse-range.ts'
import { noOpenEvent, type OpenEventContent } from '../shared/screens/activities.ts'
import { screens } from '../shared/screens.ts'

/** A navigation that changes only the open event and leaves the log under it unchanged. */
export type EventChange = {
  /** The URL of the page with only the event, or `null` if the navigation only closes the event. */
  href: string | null
  /** Returns the displayed page with the event of the loaded page, or the loaded page if it shows another screen. */
  apply(loaded: Page | null): Page
}

/** Returns the change that leads from the displayed page to the URL, or `null` if more than the open event differs. */
export function eventChange(displayed: Page, url: URL): EventChange | null {
  if (
    displayed.screen !== 'activities' ||
    displayed.content.problem !== null ||
    displayed.content.part !== null
  )
    return null
  if (url.pathname !== screens.activities.path) return null
  const { content } = displayed
  if (logAt(url, displayed) !== logAt(new URL(content.logHref, url), displayed)) return null
  const toUrl = url.pathname + url.search
  const withEvent = (part: OpenEventContent): Page => {
    // The waterfall of the search does not depend on the open event.
    const waterfall = content.waterfall?.isSearch ? content.waterfall : part.waterfall
    return { ...displayed, url: toUrl, content: { ...content, ...part, waterfall } }
  }
  if (!url.searchParams.has('event')) {
    // If no event is open, a link to the log itself loads the newest events.
    return content.open === null ? null : { href: null, apply: () => withEvent(noOpenEvent) }
  }
  const only = new URL(url)
  only.searchParams.set('view', 'event')
  return {
    href: only.href,
    apply(loaded) {
      if (loaded === null) return displayed
      if (loaded.screen !== 'activities') return loaded
      const { open, openFrames, openLateMs, openMissing, waterfall } = loaded.content
      return withEvent({ open, openFrames, openLateMs, openMissing, waterfall })
    },
  }
}

const timeParams = [...rangeParams, 'before', 'after']

/**
 * Identifies the log that a URL shows. Returns `null` if the URL opens an event but contains no time range, because the
 * server chooses the range.
 */
function logAt(url: URL, { preferences }: Page): string | null {
  const params = new URLSearchParams(url.search)
  if (!timeParams.some(name => params.has(name))) {
    if (params.has('event')) return null
    params.set('range', preferences.range)
  }
  params.delete('event')
  params.sort()
  return params.toString()
}
