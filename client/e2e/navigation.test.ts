import t from 'tap'
import { screenIds, screens } from '../../shared/screens.ts'
import { closeBrowser, hydrated, openPage } from './browser.ts'
import { startServer } from './server.ts'

const server = await startServer()
t.teardown(async () => {
  await closeBrowser()
  await server.stop()
})

const documents = (page: import('playwright-core').Page) => {
  const loads: string[] = []
  page.on('request', request => {
    if (request.isNavigationRequest()) loads.push(request.url())
  })
  return loads
}

t.test('a click fetches the URL of the screen and keeps the document', async t => {
  const page = await openPage(t)
  const loads = documents(page)
  await page.goto(server.origin)
  await hydrated(page)
  const navigation = page.getByRole('navigation', { name: 'Screens' })
  for (const id of screenIds.slice(1)) {
    await navigation.getByRole('link', { name: screens[id].title, exact: true }).click()
    await page.locator(`main[data-screen="${id}"]`).waitFor()
    t.equal(new URL(page.url()).pathname, screens[id].path)
    t.match(await page.title(), screens[id].title)
    t.equal(
      await navigation
        .getByRole('link', { name: screens[id].title, exact: true })
        .getAttribute('aria-current'),
      'page',
    )
    t.equal(await page.evaluate(() => document.activeElement?.id), 'main', 'focus begins at the new screen')
    await page.getByRole('status').filter({ hasText: screens[id].title }).first().waitFor()
  }
  t.equal(loads.length, 1, 'one document was loaded')
  await page.goBack()
  await page.locator('main[data-screen="settings"]').waitFor()
  await page.goForward()
  await page.locator('main[data-screen="ui"]').waitFor()
  t.equal(loads.length, 1)
})

t.test('going back restores the scroll position, going on begins at the top', async t => {
  const page = await openPage(t, { viewport: { width: 1000, height: 500 } })
  await page.goto(`${server.origin}/ui`)
  await hydrated(page)
  await page.evaluate(() => scrollTo(0, 700))
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.locator('main[data-screen="settings"]').waitFor()
  await page.waitForFunction(() => scrollY === 0)
  await page.goBack()
  await page.locator('main[data-screen="ui"]').waitFor()
  await page.waitForFunction(() => scrollY === 700)
})

t.test('a search form is a navigation too', async t => {
  const page = await openPage(t)
  const loads = documents(page)
  await page.goto(server.origin)
  await hydrated(page)
  await page.keyboard.press('/')
  await page.keyboard.type('severity:info')
  await page.keyboard.press('Enter')
  await page.locator('main[data-screen="activities"]').waitFor()
  t.equal(new URL(page.url()).searchParams.get('q'), 'severity:info')
  t.equal(loads.length, 1)
})

t.test('a slow page shows that it is under way, and another click overtakes it', async t => {
  const page = await openPage(t)
  await page.goto(server.origin)
  await hydrated(page)
  const release: (() => void)[] = []
  await page.route('**/dashboard', async route => {
    await new Promise<void>(resolve => release.push(resolve))
    await route.continue().catch(() => {})
  })
  const navigation = page.getByRole('navigation', { name: 'Screens' })
  await navigation.getByRole('link', { name: 'Dashboard' }).click()
  await page.locator('html[data-pending]').waitFor({ state: 'attached' })
  await navigation.getByRole('link', { name: 'Settings' }).click()
  await page.locator('main[data-screen="settings"]').waitFor()
  await page.locator('html:not([data-pending])').waitFor({ state: 'attached' })
  for (const call of release) call()
  t.equal(new URL(page.url()).pathname, '/settings')
})

t.test("another build's page is loaded as a document, once", async t => {
  const page = await openPage(t)
  const loads = documents(page)
  await page.goto(server.origin)
  await hydrated(page)
  await page.route('**/ui', async route => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace(/"build":"\w+"/, '"build":"another"')
    await (route.request().isNavigationRequest()
      ? route.continue()
      : route.fulfill({ response: answer, body }))
  })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'UI' }).click()
  await page.locator('main[data-screen="ui"]').waitFor()
  await hydrated(page)
  t.equal(loads.length, 2)
})

t.test('with the keyboard alone: skip link, screens, keys', async t => {
  const page = await openPage(t)
  await page.goto(server.origin)
  await hydrated(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  t.equal(await page.evaluate(() => document.activeElement?.id), 'main')
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.locator('main[data-screen="settings"]').waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})
