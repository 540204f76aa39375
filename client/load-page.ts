import type { Page } from '../shared/page.ts'
import { isRedirected } from './is-redirected.ts'
import { readPage } from './read-page.ts'

/**
 * Fetches a page. Returns `null` for responses that only a full load can show: a page from another build, a 4xx status other
 * than 429, or a redirect to a sign-in page on another origin.
 * @throws TypeError if the server is unreachable, and Error if the server is busy or has failed
 */
export async function loadPageAt(href: string, signal: AbortSignal | null): Promise<Page | null> {
  const response = await fetch(href, { signal, headers: { accept: 'text/html' } }).catch(async error => {
    if (await isRedirected(href, signal)) return null
    throw error
  })
  if (response && (response.status === 429 || response.status > 499)) throw new Error(response.statusText)
  if (!response?.ok) return null
  return readPage(new DOMParser().parseFromString(await response.text(), 'text/html'))
}
