import { startTransition, useLayoutEffect, useRef, useState } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { createPath, type Navigator, Router } from 'react-router-dom'
import { ownService } from '../shared/event.ts'
import type { Page } from '../shared/page.ts'
import { showFailurePage } from './failure-page.ts'
import { startNavigation } from './navigation.ts'
import { PageContext } from './page.ts'
import { readPage } from './read-page.ts'
import { Screens } from './routes.tsx'
import { loadView, type Views } from './screens/registry.tsx'
import { listenForKeys } from './shell/keys.ts'
import { commitInTransition } from './view-transition.ts'

const build = document.documentElement.dataset.build ?? ''
const root = document.getElementById('root')
// The server's failure after the head was sent stands in place of the screen: there is nothing to hydrate.
const failed = document.querySelector('[data-failure]') !== null

if (root !== null && !failed) hydrate(root).catch(showFailurePage)

async function hydrate(container: HTMLElement): Promise<void> {
  const page = readPage(document, build)
  if (page === null) throw new Error('The page carries no content to hydrate')
  const views: Views = {}
  await addView(views, page)
  startTransition(() => {
    hydrateRoot(container, <Client first={page} views={views} />, { onUncaughtError: showFailurePage })
  })
  const whenIdle = window.requestIdleCallback ?? setTimeout
  whenIdle(watchOwnPages)
}

/** Measures the screens as any other application that is connected. It comes last: nobody waits for it. */
async function watchOwnPages(): Promise<void> {
  try {
    const { watch } = await import('./sdk/browser.ts')
    watch({ url: location.origin, service: ownService })
  } catch {
    // The page was left, or the network is: then there is nothing to tell, or no way to.
  }
}

async function addView(views: Views, page: Page): Promise<void> {
  if (page.screen !== null) views[page.screen] ??= await loadView[page.screen]()
}

function Client({ first, views }: { first: Page; views: Views }) {
  const [page, setPage] = useState(first)
  const [drawn] = useState(() => new Drawn())
  const shown = useRef(page.screen)
  useLayoutEffect(() => drawn.settle(page))
  useLayoutEffect(() => {
    document.documentElement.classList.add('scripted')
    listenForKeys()
    startNavigation(build, async next => {
      await addView(views, next)
      const commit = () => {
        document.title = next.title
        setPage(next)
        return drawn.of(next)
      }
      const isOther = next.screen !== shown.current
      shown.current = next.screen
      await (isOther && wantsTransition(next) ? commitInTransition(commit) : commit())
    })
  }, [views, drawn])

  return (
    <PageContext value={page}>
      <Router location={page.url} navigator={navigator}>
        <Screens views={views} />
      </Router>
    </PageContext>
  )
}

/** Resolves when a page that was handed to React stands in the document. */
class Drawn {
  #waiting: { page: Page; resolve: () => void }[] = []

  of(page: Page): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push({ page, resolve })
    })
  }

  settle(page: Page): void {
    const index = this.#waiting.findIndex(waiting => waiting.page === page)
    // What was handed over earlier has been overtaken and will never be drawn.
    for (const { resolve } of this.#waiting.splice(0, index + 1)) resolve()
  }
}

function wantsTransition(page: Page): boolean {
  return (
    'startViewTransition' in document &&
    page.preferences.motion !== 'reduced' &&
    !matchMedia('(prefers-reduced-motion: reduce)').matches
  )
}

// React Router matches and resolves; the Navigation API moves. Whatever asks the router to go somewhere goes
// the way of every other link.
const navigator: Navigator = {
  createHref: to => (typeof to === 'string' ? to : createPath(to)),
  push: to => location.assign(typeof to === 'string' ? to : createPath(to)),
  replace: to => location.replace(typeof to === 'string' ? to : createPath(to)),
  go: delta => history.go(delta),
}
