import { startTransition, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { hydrateRoot } from 'react-dom/client'
import { createPath, type Navigator, Router } from 'react-router-dom'
import { ownService } from '../shared/event.ts'
import type { Page } from '../shared/page.ts'
import { zoneCookie } from '../shared/preferences.ts'
import { showFailurePage } from './failure-page.ts'
import { focusTarget } from './focus-target.ts'
import { loadPageAt } from './load-page.ts'
import { isHydrated, startNavigation } from './navigation.ts'
import { PageContext } from './page.ts'
import { readPage } from './read-page.ts'
import { type Refresh, RefreshContext } from './refresh.ts'
import { Screens } from './routes.tsx'
import { loadView, type Views, viewIdOf } from './screens/registry.tsx'
import { listenForKeys } from './shell/keys.ts'
import { startSubmitting } from './submit.ts'
import { askBeforeUnload, wouldReloadLoseText } from './unsaved.ts'
import { commitInTransition } from './view-transition.ts'

const root = document.getElementById('root')
// If rendering failed after the server sent the head, there is nothing to hydrate.
const failed = document.querySelector('[data-failure]') !== null

if (root !== null && !failed) hydrate(root).catch(showFailurePage)

async function hydrate(container: HTMLElement): Promise<void> {
  const page = readPage(document)
  if (page === null) throw new Error('The page contains no hydration data')
  const views: Views = {}
  try {
    await addView(views, page)
  } catch (error) {
    // The page works without JavaScript.
    reportError(error)
    return
  }
  startTransition(() => {
    hydrateRoot(container, <Client first={page} views={views} />, { onUncaughtError: showFailurePage })
  })
  const whenIdle = window.requestIdleCallback ?? setTimeout
  whenIdle(watchOwnPages)
}

/**
 * Reports errors and Web Vitals, like any connected application. This code is loaded last, so that visitors do not wait for
 * it.
 */
async function watchOwnPages(): Promise<void> {
  try {
    const { watch } = await import('./sdk/browser.ts')
    watch({ url: location.origin, service: ownService })
  } catch {
    // The visitor has left the page or is offline.
  }
}

async function addView(views: Views, page: Page): Promise<void> {
  const id = viewIdOf(page)
  if (id !== null) views[id] ??= await loadView[id]()
}

function Client({ first, views }: { first: Page; views: Views }) {
  const [page, setPage] = useState(first)
  const displayed = useRef(page)
  /** The latest page passed to `show`. Its code or its view transition may be late, so another page may still be shown. */
  const requested = useRef(page)

  const { show, refresh } = useMemo(() => {
    const show = async (next: Page, signal?: AbortSignal) => {
      requested.current = next
      await addView(views, next)
      if (requested.current !== next) return
      const before = displayed.current
      const commit = () => {
        if (requested.current !== next || signal?.aborted) return
        displayed.current = next
        document.title = next.title
        // A page that reuses earlier preferences must not undo a change made in the palette.
        if (next.preferences !== before.preferences) applyLook(next.preferences)
        // Rendered at once: the view transition and the navigation need the new page in the document.
        flushSync(() => setPage(next))
      }
      const isOther = next.screen !== before.screen
      if (isOther && wantsTransition(next)) await commitInTransition(commit)
      else commit()
    }
    const refresh: Refresh = async ({ href, merge }, signal) => {
      const before = displayed.current
      const loaded = await loadPageAt(href, signal)
      const isNavigating = 'navigation' in window && window.navigation.transition !== null
      if (signal.aborted || isNavigating || displayed.current !== before || !isHydrated()) return
      if (loaded !== null) await show(merge(before, loaded))
      // Without a reload, the page would stay outdated. A refresh of only the counts must not reload the page, because a
      // reload would lose the live rows.
      else if (href === before.url && !wouldReloadLoseText()) location.reload()
    }
    return { show, refresh }
  }, [views])

  useLayoutEffect(() => {
    document.documentElement.classList.add('scripted')
    listenForKeys()
    focusTarget()
    rememberZone()
    startSubmitting(() => displayed.current, refresh)
    askBeforeUnload()
    startNavigation(
      () => displayed.current,
      show,
      page => addView(views, page),
    )
    // The browser may restore this document after the visitor has signed out, or after a user with other permissions has
    // signed in. In these cases, `loadPageAt` returns `null`.
    addEventListener('pageshow', async ({ persisted }) => {
      if (!persisted) return
      const loaded = await loadPageAt(displayed.current.url, null).catch(() => displayed.current)
      if (loaded === null) location.reload()
    })
  }, [views, show, refresh])

  return (
    <PageContext value={page}>
      <RefreshContext value={refresh}>
        <Router location={page.url} navigator={navigator}>
          <Screens views={views} />
        </Router>
      </RefreshContext>
    </PageContext>
  )
}

/**
 * Stores the browser's time zone for the next page, because the zone changes when the visitor travels. For the first page, a
 * script in the head stores it.
 */
function rememberZone(): void {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  // biome-ignore lint/suspicious/noDocumentCookie: not all browsers have the Cookie Store API
  document.cookie = `${zoneCookie}=${encodeURIComponent(timeZone)}; path=/; max-age=31536000; samesite=lax`
}

/** Updates the document's attributes, because another tab may have changed the preferences since the first page. */
function applyLook({ theme, density, motion }: Page['preferences']): void {
  Object.assign(document.documentElement.dataset, { theme, density, motion })
}

function wantsTransition(page: Page): boolean {
  return (
    'startViewTransition' in document &&
    page.preferences.motion !== 'reduced' &&
    !matchMedia('(prefers-reduced-motion: reduce)').matches
  )
}

// React Router only matches and resolves paths. The browser and the Navigation API navigate.
const navigator: Navigator = {
  createHref: to => (typeof to === 'string' ? to : createPath(to)),
  push: to => location.assign(typeof to === 'string' ? to : createPath(to)),
  replace: to => location.replace(typeof to === 'string' ? to : createPath(to)),
  go: delta => history.go(delta),
}
