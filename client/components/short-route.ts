/** The width of a route column without a custom width, and of one character in it. */
const defaultWidthPx = 160
const characterPx = 7.2
const ellipsis = '…'

/**
 * The method and route of a request, cut in the middle to fit the column: `GET /api/…/refunds`. The start names the API, and
 * the end tells similar routes apart.
 */
export function shortRoute(method: string | null, route: string, widthPx = defaultWidthPx): string {
  const start = method === null ? '' : `${method} `
  const maxLength = Math.floor(widthPx / characterPx) - start.length
  if (route.length <= maxLength) return start + route
  const segments = route.split('/')
  // Of the first two segments, the one before a leading slash is empty.
  const head = segments.slice(0, 2).join('/')
  for (let from = 3; from < segments.length; from += 1) {
    const short = [head, ellipsis, ...segments.slice(from)].join('/')
    if (short.length <= maxLength || from === segments.length - 1) return start + short
  }
  return start + route
}
