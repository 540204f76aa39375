import type { Page } from '../shared/page.ts'
import { screenAt } from '../shared/screens.ts'
import { showFailure } from './failure.ts'
import { readPage } from './read-page.ts'
import { announce } from './shell/announce.ts'

const pendingAfterMs = 150
const prefetchedForMs = 5_000

/**
 * Moves between screens without unloading the document: a click on a link or a form that asks for a screen
 * fetches the very URL that a full load would fetch, and the page is read out of the answer.
 *
 * It stands on the Navigation API (https://html.spec.whatwg.org/multipage/nav-history-apis.html#navigation-api),
 * which gives one event for links, forms, scripts and the history, aborts what is overtaken, and restores the
 * scroll position. A browser without it loads documents, and nothing is lost but the time.
 *
 * @param build the build of this client: a page of any other is loaded as a document
 * @param show commits a page to the screen; resolves once it is drawn
 */
export function startNavigation(build: string, show: (page: Page) => Promise<void>): void {
  if (!('navigation' in window)) return
  const prefetched = new Map<string, { page: Promise<Page | null>; atMs: number }>()

  const fetchPage = async (href: string, signal: AbortSignal | null): Promise<Page | null> => {
    const answer = await fetch(href, { signal, headers: { accept: 'text/html' } })
    if (!answer.ok) return null
    return readPage(new DOMParser().parseFromString(await answer.text(), 'text/html'), build)
  }

  const pageAt = (href: string, signal: AbortSignal): Promise<Page | null> => {
    const early = prefetched.get(href)
    prefetched.delete(href)
    return early && Date.now() - early.atMs < prefetchedForMs ? early.page : fetchPage(href, signal)
  }

  let following = false
  /** Where the server sent us on to another URL (a digest to its failure), the address bar follows. */
  const follow = (asked: URL, page: Page) => {
    if (page.url === asked.pathname + asked.search) return
    following = true
    history.replaceState(null, '', page.url)
    following = false
  }

  window.navigation.addEventListener('navigate', event => {
    const url = new URL(event.destination.url)
    if (
      following ||
      !event.canIntercept ||
      event.hashChange ||
      event.downloadRequest !== null ||
      event.formData !== null ||
      event.navigationType === 'reload' ||
      !isScreen(url)
    ) {
      return
    }
    const samePath = url.pathname === location.pathname
    event.intercept({
      scroll: 'manual',
      focusReset: 'manual',
      async handler() {
        const pending = setTimeout(() => {
          document.documentElement.dataset.pending = ''
        }, pendingAfterMs)
        try {
          const page = await pageAt(url.href, event.signal).catch(() => null)
          if (event.signal.aborted) return
          if (page === null) {
            // Not a page of this build: the document says what it is, the failure page included. The URL has
            // been committed already, so this loads it, and a document load is never intercepted: no loop.
            location.reload()
            return
          }
          await show(page)
          if (event.signal.aborted) return
          follow(url, page)
          // What the link leads to may stand in view already, such as an event beside its row: nothing moves then.
          if (event.navigationType === 'traverse' || !isInView(url.hash)) event.scroll()
          if (!samePath) arrive(page.title)
        } catch (thrown) {
          // The browser reports a rejected handler to nobody. After another click, this page is not shown anyway.
          if (!event.signal.aborted) showFailure(thrown)
        } finally {
          clearTimeout(pending)
          if (!event.signal.aborted) delete document.documentElement.dataset.pending
        }
      },
    })
  })

  const prefetch = (target: EventTarget | null) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
    if (link === null || link.target !== '' || !isScreen(new URL(link.href))) return
    if (link.href === location.href || prefetched.has(link.href)) return
    const atMs = Date.now()
    const page = fetchPage(link.href, null).catch(() => null)
    prefetched.set(link.href, { page, atMs })
    // A prefetched page is only worth its memory while it is fresh.
    setTimeout(
      () => prefetched.get(link.href)?.atMs === atMs && prefetched.delete(link.href),
      prefetchedForMs,
    )
  }
  document.addEventListener('pointerdown', event => prefetch(event.target), { passive: true })
  document.addEventListener('pointerover', hoverIntent(prefetch), { passive: true })
}

function isScreen(url: URL): boolean {
  // A drill is about full loads: its page has to fail once, as a visitor's would.
  return (
    url.origin === location.origin && screenAt(url.pathname) !== undefined && !url.searchParams.has('drill')
  )
}

function isInView(hash: string): boolean {
  const target = hash === '' ? null : document.getElementById(hash.slice(1))
  const top = target?.getBoundingClientRect().top ?? Number.NaN
  return top >= 0 && top < innerHeight
}

/** Calls back with the element that the pointer rests on: passing over a list of links asks for nothing. */
function hoverIntent(call: (target: EventTarget | null) => void): (event: PointerEvent) => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  return event => {
    clearTimeout(timer)
    if (event.pointerType === 'mouse') timer = setTimeout(call, 65, event.target)
  }
}

/** Says and focuses what a full load would: a new screen begins at its top. */
function arrive(title: string): void {
  announce(title)
  document.getElementById('main')?.focus({ preventScroll: true })
}
