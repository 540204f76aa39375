import type { Page } from '../../../shared/page.ts'
import { joinUrl, splitUrl } from '../../../shared/split-url.ts'
import { usePage } from '../../page.ts'
import { useRefresh } from '../../refresh.ts'

const refreshEveryMs = 5_000

/** Refreshes the counts, the histogram and the filters, but not the rows, while live updates are on. */
export function useCountRefresh(isLive: boolean): void {
  const { url } = usePage()
  useRefresh(isLive ? refreshEveryMs : null, { href: countsHref(url), merge: withCounts })
}

/** Preserves the open event, because the server derives the range from this event if the URL contains no range. */
export function countsHref(url: string): string {
  const { path, params } = splitUrl(url)
  params.set('view', 'counts')
  return joinUrl(path, params)
}

/** Returns the displayed page with the loaded counts. */
export function withCounts(displayed: Page, loaded: Page): Page {
  if (displayed.screen !== 'activities' || loaded.screen !== 'activities') return displayed
  const { window, total, countedTo, severities, histogram, facets } = loaded.content
  return {
    ...displayed,
    nowMs: loaded.nowMs,
    fragments: { ...displayed.fragments, ...loaded.fragments },
    content: { ...displayed.content, window, total, countedTo, severities, histogram, facets },
  }
}
