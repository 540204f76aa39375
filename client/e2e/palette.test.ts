import type { Page } from 'playwright-core'
import t from 'tap'
import { paths } from '../../shared/paths.ts'
import { screens } from '../../shared/screens.ts'
import { axeViolations } from './axe.ts'
import { closeBrowser, hydrated, openPage } from './browser.ts'
import { startServer } from './server.ts'
import { failingTrace, traceId } from './trace.ts'

const server = await startServer()
t.teardown(async () => {
  await closeBrowser()
  await server.stop()
})
await server.send(...failingTrace(Date.now()))

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Commands' })
const field = (page: Page) => dialog(page).getByRole('combobox')

/** Opens the palette by the keyboard; resolves once it has what the server knows. */
async function open(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await dialog(page).getByRole('status').getByText('to choose from').waitFor({ state: 'attached' })
}

async function chosen(page: Page): Promise<string> {
  const id = await field(page).getAttribute('aria-activedescendant')
  const option = page.locator(`[id="${id}"]`)
  t.equal(await option.getAttribute('role'), 'option')
  t.equal(await option.getAttribute('aria-selected'), 'true')
  return option.innerText()
}

t.test('to a screen, a service, a failure by typing a part of its name', async t => {
  const page = await openPage(t)
  await page.goto(server.origin)
  await hydrated(page)
  for (const [typed, name, at] of [
    ['dash', 'Dashboard', paths.dashboard()],
    ['stock figures', 'stock', paths.dashboard({ service: 'stock' })],
    ['stock log', 'stock', paths.activities({ q: 'service:stock' })],
    ['card network', 'TimeoutError', '/development?failure='],
    ['4711471147', 'Open the failure of digest 4711471147', '/development?failure='],
    [
      traceId,
      `Show all of trace ${traceId}`,
      paths.activities({ q: `trace:${traceId}`, range: { span: '30d' } }),
    ],
    ['low stock', 'Search the log for low stock', paths.activities({ q: '"low stock"' })],
  ] as const) {
    await open(page)
    await page.keyboard.type(typed)
    t.match(await chosen(page), name, typed)
    await page.keyboard.press('Enter')
    await page.waitForURL(url => (url.pathname + url.search).startsWith(at))
    t.equal(await dialog(page).count(), 0)
  }
})

t.test('the arrows go round, Escape closes, and the focus is back where it was', async t => {
  const page = await openPage(t)
  await page.goto(server.origin + screens.activities.path)
  await hydrated(page)
  await page.getByLabel('Search the log').focus()
  await open(page)
  t.ok(await field(page).evaluate(input => input === document.activeElement))
  t.match(await chosen(page), 'Home')
  await page.keyboard.press('ArrowDown')
  t.match(await chosen(page), 'Activities')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  t.match(await chosen(page), 'Theme:', 'from the first one up to the last')
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  t.ok(await page.getByLabel('Search the log').evaluate(input => input === document.activeElement))
  await open(page)
  await page.keyboard.press('Control+k')
  await dialog(page).waitFor({ state: 'detached' })
})

t.test('a saved search is found by its name', async t => {
  const page = await openPage(t)
  await page.goto(server.origin + paths.activities({ q: 'severity:error' }))
  await hydrated(page)
  await page.getByText('Saved', { exact: true }).click()
  await page.getByLabel('Keep this search as').fill('What went wrong')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(url => url.pathname === screens.activities.path)
  await hydrated(page)
  await page.goto(server.origin)
  await hydrated(page)
  await open(page)
  await page.keyboard.type('went wrong')
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.searchParams.get('q') === 'severity:error')
})

t.test('actions do what the page offers', async t => {
  const page = await openPage(t, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(server.origin + screens.activities.path)
  await hydrated(page)
  const take = async (typed: string) => {
    await open(page)
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    await dialog(page).waitFor({ state: 'detached' })
  }
  await take('theme dark')
  await page.locator('html[data-theme=dark]').waitFor()
  await page.reload()
  await hydrated(page)
  t.equal(await page.locator('html').getAttribute('data-theme'), 'dark', 'it is kept')

  await take('copy the link')
  await page.getByText('Copied').waitFor({ state: 'attached' })
  t.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url())

  await take('follow')
  await page.locator('button[aria-keyshortcuts=l][aria-pressed=true]').waitFor()

  const file = page.waitForEvent('download')
  await take('export csv')
  t.match((await file).suggestedFilename(), /\.csv$/)

  await take('show the keys')
  const keys = page.getByRole('dialog', { name: 'Keys' })
  await keys.getByText('Commands').waitFor()
})

t.test('by touch: a button in the head, and one that closes', async t => {
  const page = await openPage(t, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  await page.goto(server.origin)
  await hydrated(page)
  await page.getByRole('button', { name: 'Commands' }).tap()
  await dialog(page).getByRole('button', { name: 'Close' }).tap()
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Commands' }).tap()
  await dialog(page).getByRole('option', { name: 'Settings' }).tap()
  await page.waitForURL(url => url.pathname === screens.settings.path)
})

t.test('what could not be loaded is said, and the rest works', async t => {
  const page = await openPage(t)
  page.expectComplaint('status of 503')
  await page.route(
    url => url.pathname === paths.find(),
    route => route.fulfill({ status: 503 }),
  )
  await page.goto(server.origin)
  await hydrated(page)
  await page.keyboard.press('Control+k')
  await dialog(page).getByText('could not be loaded').waitFor()
  await page.keyboard.type('ui')
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.pathname === screens.ui.path)
})

t.test('without JavaScript the search box is there, and no button that does nothing', async t => {
  const page = await openPage(t, { javaScriptEnabled: false })
  await page.goto(server.origin + screens.settings.path)
  t.equal(await page.getByRole('button', { name: 'Commands' }).count(), 0)
  await page.getByLabel('Find a digest, a request, a trace or a text').waitFor()
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 1280]) {
    t.test(`axe finds nothing, ${colorScheme}, ${width} px`, async t => {
      const page = await openPage(t, {
        colorScheme,
        viewport: { width, height: 800 },
        reducedMotion: 'reduce',
      })
      await page.goto(server.origin)
      await hydrated(page)
      await open(page)
      t.same(await axeViolations(page), [])
      await page.keyboard.type('pay')
      t.same(await axeViolations(page), [])
    })
  }
}
