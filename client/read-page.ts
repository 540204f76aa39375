import { parsePacked } from '../shared/packed-json.ts'
import type { Page } from '../shared/page.ts'
import { isScreenId } from '../shared/screens.ts'

/**
 * Reads the page from the hydration data of a document, and its HTML fragments from their elements. Returns `null` if the
 * document is not a page of `build`, but a failure page, a page of another build or the response of a proxy.
 */
export function readPage(document: Document, build: string): Page | null {
  const block = document.getElementById('page')?.textContent
  if (!block) return null
  const page: unknown = parsePacked(block)
  if (!isPage(page) || page.build !== build) return null
  const fragments: Record<string, string> = {}
  for (const element of document.querySelectorAll('[data-fragment]')) {
    fragments[element.getAttribute('data-fragment') ?? ''] = element.innerHTML
  }
  return { ...page, fragments }
}

// The content is not checked, because data from the same build matches the types.
function isPage(value: unknown): value is Page {
  return (
    typeof value === 'object' &&
    value !== null &&
    'build' in value &&
    'screen' in value &&
    (value.screen === null || isScreenId(value.screen))
  )
}
