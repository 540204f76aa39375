import type { Page } from '../shared/page.ts'
import { screenAt } from '../shared/screens.ts'
import { announce } from './announce.ts'
import { showFailurePage } from './failure-page.ts'
import { focusTarget } from './focus-target.ts'
import { loadPageAt } from './load-page.ts'
import { eventChange } from './open-event.ts'
import { showPending } from './pending.ts'
import { addPrefetched, isPrefetched, takePrefetched } from './prefetched.ts'
import { SubmittedPage } from './submitted-page.ts'
import { mayLeave } from './unsaved.ts'
import { whenReachable } from './when-reachable.ts'

/**
 * Navigates between screens without unloading the document: fetches the URL that a full page load would, and renders the
 * page in the HTML response. Uses the Navigation API
 * (https://html.spec.whatwg.org/multipage/nav-history-apis.html#navigation-api), which also aborts superseded navigations
 * and restores the scroll position. Other browsers load the whole page.
 * @param displayedPage returns the displayed page
 * @param show renders a page, unless the signal aborts first; resolves when the page is in the document
 * @param loadCode loads the code that renders a page
 */
export function startNavigation(
  displayedPage: () => Page,
  show: (page: Page, signal: AbortSignal) => Promise<void>,
  loadCode: (page: Page) => Promise<void>,
): void {
  if (!('navigation' in window)) return

  /**
   * Loads a page and its code. Returns `null` if only a full load can show the page.
   * @param received the page, if it has already been loaded
   */
  const loadPage = (href: string, received: Page | null, signal: AbortSignal): Promise<Page | null> =>
    whenReachable(async () => {
      const page = received ?? (await (takePrefetched(href) ?? loadPageAt(href, signal)))
      try {
        if (page !== null) await loadCode(page)
        return page
      } catch {
        // Rejects if the server is unreachable. Otherwise, the server does not have the code any more.
        await fetch(href, { method: 'HEAD', signal, redirect: 'manual' })
        return null
      }
    }, signal).catch(() => null)

  let isReplacingUrl = false
  let isReloading = false
  /** Replaces the URL in the address bar, which aborts the current navigation. */
  const replaceUrl = (url?: string) => {
    isReplacingUrl = true
    history.replaceState(null, '', url)
    isReplacingUrl = false
  }
  /** Shows the page's own URL in the address bar: the final URL, without the parameters that show a confirmation. */
  const showFinalUrl = (requested: URL, page: Page) => {
    if (page.url !== requested.pathname + requested.search) replaceUrl(page.url + requested.hash)
  }
  showFinalUrl(new URL(location.href), displayedPage())

  // The next page would replace the text and take the focus, so the following letters would act as shortcuts.
  document.addEventListener('input', ({ target }) => {
    if (navigation.transition !== null && target instanceof Element && target.matches(':read-write'))
      replaceUrl()
  })

  window.navigation.addEventListener('navigate', event => {
    isReloading = event.navigationType === 'reload'
    const url = new URL(event.destination.url)
    const submitted = event.info instanceof SubmittedPage ? event.info : null
    const from = new URL(displayedPage().url, url)
    // While another page loads, the address bar already contains its URL, so a link such as `#main` leads to that page.
    const isWithinPage = event.hashChange && from.pathname === url.pathname && from.search === url.search
    if (
      isReplacingUrl ||
      isReloading ||
      !event.canIntercept ||
      (isWithinPage && submitted === null) ||
      event.downloadRequest !== null ||
      event.formData !== null ||
      !isScreen(url) ||
      !isHydrated()
    ) {
      return
    }
    // A form whose response shows the same view keeps the text in the other forms.
    if (event.cancelable && !submitted?.keepsPlace && !mayLeave(url)) {
      event.preventDefault()
      return
    }
    const { title } = displayedPage()
    const change = submitted === null ? eventChange(displayedPage(), url) : null
    event.intercept({
      scroll: 'manual',
      focusReset: 'manual',
      async handler() {
        const hidePending = showPending(url)
        let isShown = false
        event.signal.onabort = () => {
          // A navigation that replaces this one starts in the same task. A download, the browser's Stop button or typing
          // starts none.
          setTimeout(() => {
            if (isShown || isReloading || navigation.transition !== null) return
            hidePending(false)
            // A history entry opened with Back or Forward keeps its URL, so that the entry still leads to the same page.
            if (event.navigationType !== 'traverse') showFinalUrl(new URL('', url), displayedPage())
          })
        }
        try {
          const href = change === null ? url.href : change.href
          const loaded = href === null ? null : await loadPage(href, submitted?.page ?? null, event.signal)
          if (event.signal.aborted) return
          const page = change !== null && (href === null || loaded !== null) ? change.apply(loaded) : loaded
          if (page === null) {
            // The URL is already committed. This cannot loop, because reloads are not intercepted.
            location.reload()
            return
          }
          await show(page, event.signal)
          if (event.signal.aborted) return
          isShown = true
          showFinalUrl(url, page)
          // A new title means a new page, even on the same screen, unless the link leads to a part of the page.
          const isOther =
            url.pathname !== from.pathname || (change === null && url.hash === '' && page.title !== title)
          // A form without a part of its own shows its result at the scroll position.
          if (submitted !== null && (submitted.keepsPlace || (url.hash === '' && !isOther))) return
          // Do not scroll the log under an event, or a page whose target is already visible.
          const isRestoring = event.navigationType === 'traverse' || !isInView(url.hash)
          if (change === null && isRestoring) event.scroll()
          if (isOther) announceScreen(page.title)
          else if (change === null) {
            focusTarget()
            // What the same screen now shows, because its title and the focus may be unchanged.
            announce(document.querySelector('[data-result]')?.textContent ?? page.title)
          }
        } catch (thrown) {
          // The browser does not report rejected handlers. Ignore errors in superseded navigations.
          if (!event.signal.aborted) showFailurePage(thrown)
        } finally {
          hidePending(event.signal.aborted && !isShown)
        }
      },
    })
  })

  const prefetch = (target: EventTarget | null) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
    if (link === null || link.target !== '' || !isScreen(new URL(link.href))) return
    const change = eventChange(displayedPage(), new URL(link.href))
    const href = change === null ? link.href : change.href
    const isDisplayed = link.pathname === location.pathname && link.search === location.search
    if (href === null || isDisplayed || isPrefetched(href)) return
    addPrefetched(href, loadPageAt(href, null))
  }
  document.addEventListener('pointerdown', event => prefetch(event.target), { passive: true })
  document.addEventListener('pointerover', hoverIntent(prefetch), { passive: true })
}

/** Whether a URL can be shown without a full page load. */
export function isScreen(url: URL): boolean {
  // Drills use full page loads. An intercepted drill would fail twice, because a full load follows a failed navigation.
  return (
    url.origin === location.origin && screenAt(url.pathname) !== undefined && !url.searchParams.has('drill')
  )
}

/**
 * Whether the application controls this document. If the failure page or a page from another build has replaced its content,
 * only a full load can show a screen.
 */
export function isHydrated(): boolean {
  return document.documentElement.classList.contains('scripted')
}

function isInView(hash: string): boolean {
  const target = hash === '' ? null : document.getElementById(hash.slice(1))
  const top = target?.getBoundingClientRect().top ?? Number.NaN
  return top >= 0 && top < innerHeight
}

/** Calls `call` only when the pointer rests on an element, so that moving across links does not fetch pages. */
function hoverIntent(call: (target: EventTarget | null) => void): (event: PointerEvent) => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  return event => {
    clearTimeout(timer)
    if (event.pointerType === 'mouse') timer = setTimeout(call, 65, event.target)
  }
}

/** Announces the new screen and moves the focus to it, as a full page load would. */
function announceScreen(title: string): void {
  announce(title)
  document.getElementById('main')?.focus({ preventScroll: true })
}
