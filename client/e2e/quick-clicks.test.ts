import { paths } from '../../shared/paths.ts'
import { screens } from '../../shared/screens.ts'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'

const server = serverForFile()

test('skipping a view transition with another click is not reported as a failure', async ({ openPage }) => {
  const page = await openPage({ reducedMotion: 'no-preference' })
  const watched = page.waitForResponse(answer => answer.url().includes('/assets/browser-'))
  await page.goto(server.origin)
  await hydrated(page)
  await watched
  const link = (name: string) =>
    page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name, exact: true })
  for (const id of ['ui', 'settings', 'home'] as const) {
    await link(screens[id].title).click()
    await page.locator(`main[data-screen=${id}]`).waitFor()
  }
  // Prefetch the second page, so that it is available when its link is clicked during the first transition.
  const prefetched = page.waitForResponse(server.origin + screens.ui.path)
  await link(screens.ui.title).dispatchEvent('pointerdown')
  await (await prefetched).finished()
  const started = await link(screens.settings.title).evaluate(async (first, path) => {
    const second = document.querySelector<HTMLAnchorElement>(`nav a[href="${path}"]`)
    const start = document.startViewTransition.bind(document)
    const updates: Promise<void>[] = []
    const bothStarted = new Promise<void>(resolve => {
      document.startViewTransition = (...values) => {
        const transition = start(...values)
        updates.push(transition.updateCallbackDone)
        if (updates.length === 1) second?.click()
        else resolve()
        return transition
      }
    })
    if (first instanceof HTMLElement) first.click()
    await bothStarted
    await Promise.all(updates)
    return updates.length
  }, screens.ui.path)
  expect(started, 'both transitions started').toBe(2)
  await page.locator('main[data-screen=ui]').waitFor()
  expect(new URL(page.url()).pathname).toBe(screens.ui.path)

  // The page sends any report before this request, so the server has handled the report when this request completes.
  await page.evaluate(path => fetch(path), paths.livez())
  expect(
    server.lines.filter(({ level }) => Number(level) >= 50),
    'no failure was reported',
  ).toEqual([])
})

test('an error during a page transition is reported', async ({ openPage }) => {
  const page = await openPage({ reducedMotion: 'no-preference' })
  page.expectConsoleMessage('CANARY-update')
  await page.addInitScript(() => {
    document.startViewTransition = () => {
      const failed = Promise.reject(new Error('CANARY-update'))
      return Object.assign(Object.create(ViewTransition.prototype), {
        ready: failed,
        finished: failed,
        updateCallbackDone: failed,
      })
    }
    for (const name of ['ready', 'finished', 'updateCallbackDone']) {
      Object.defineProperty(ViewTransition.prototype, name, { writable: true, value: null })
    }
  })
  await page.goto(server.origin)
  await hydrated(page)
  await page.getByRole('link', { name: screens.settings.title, exact: true }).click()
  await page.locator('main.standalone').waitFor()
  const { err } = await server.line(({ level }) => Number(level) >= 50)
  expect(err).toMatchObject({ message: 'CANARY-update' })
})
