import type { Page } from '../shared/page.ts'
import { isScreenId } from '../shared/screens.ts'

/**
 * Reads the page that a document shows out of the block that the server wrote for hydration, with the drawn
 * pieces taken from where they stand. Gives `null` where the document is not a page of `build`: a failure page,
 * a page of another build, an answer of something in between.
 */
export function readPage(document: Document, build: string): Page | null {
  const block = document.getElementById('page')?.textContent
  if (!block) return null
  const page: unknown = JSON.parse(block)
  if (!isPage(page) || page.build !== build) return null
  const drawn: Record<string, string> = {}
  for (const element of document.querySelectorAll('[data-markup]')) {
    drawn[element.getAttribute('data-markup') ?? ''] = element.innerHTML
  }
  return { ...page, drawn }
}

// The block was written by this very build, as `build` says once it is known to be a page at all: what lies
// deeper has the shape that the types say.
function isPage(value: unknown): value is Page {
  return (
    typeof value === 'object' &&
    value !== null &&
    'build' in value &&
    'screen' in value &&
    (value.screen === null || isScreenId(value.screen))
  )
}
