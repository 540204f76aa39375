import { parsePacked } from '../shared/packed-json.ts'
import type { Page } from '../shared/page.ts'
import { isScreenId } from '../shared/screens.ts'

/**
 * Reads the page from a document's hydration data, and its HTML fragments from their elements. Returns `null` for a failure
 * page, a page from a build other than the displayed one, or a proxy's response.
 */
export function readPage(received: Document): Page | null {
  // Other pages may have another element with this id.
  const block = received.querySelector('script#page')?.textContent
  if (!block) return null
  const page: unknown = parsePacked(block)
  if (!isPage(page) || page.build !== document.documentElement.dataset.build) return null
  const fragments: Record<string, string> = {}
  for (const element of received.querySelectorAll('[data-fragment]')) {
    fragments[element.getAttribute('data-fragment') ?? ''] = element.innerHTML
  }
  return { ...page, fragments }
}

// Does not check the content, because data from the same build matches the types.
function isPage(value: unknown): value is Page {
  return (
    typeof value === 'object' &&
    value !== null &&
    'build' in value &&
    'screen' in value &&
    (value.screen === null || isScreenId(value.screen))
  )
}
