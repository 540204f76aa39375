import type { Page } from '@playwright/test'
import { defaultPreferences, preferencesCookie, serializePreferences } from '../../shared/preferences.ts'
import { screens } from '../../shared/screens.ts'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'

const request = (name: string) => ({
  name,
  msg: 'request completed',
  req: { method: 'GET', url: '/cart' },
  route: '/cart',
  res: { statusCode: 200 },
  responseTime: 12,
})

const server = serverForFile({}, server => server.send(request('shop-0')))

async function openWithClock(openPage: (options: object) => Promise<Page>, path: string): Promise<Page> {
  const page = await openPage({ viewport: { width: 1280, height: 400 } })
  await page.clock.install()
  await page.goto(server.origin + path)
  await hydrated(page)
  return page
}

for (const path of [screens.home.path, screens.dashboard.path]) {
  test(`${path} refreshes itself, and keeps the focus, open menus and the scroll position`, async ({
    openPage,
  }) => {
    const page = await openWithClock(openPage, path)
    const service = `after-${path.slice(1) || 'home'}`
    await expect(page.getByText(/^Updated/)).toHaveText(/^Updated (just now|\d s ago)$/)
    await page.getByLabel('Refresh').focus()
    const menu = page.locator('details').first()
    if (path === screens.dashboard.path) await menu.evaluate(details => details.setAttribute('open', ''))
    await page.evaluate(() => scrollTo(0, 30))
    await server.send(request(service))
    await page.clock.fastForward(30_000)
    await expect(page.locator('main')).toContainText(service)
    await expect(page.getByLabel('Refresh')).toBeFocused()
    if (path === screens.dashboard.path) await expect(menu).toHaveAttribute('open')
    expect(await page.evaluate(() => scrollY)).toBe(30)
    await page.clock.fastForward(12_000)
    await expect(page.getByText(/^Updated/)).toHaveText(/[12]\d s ago/)
  })
}

test('refreshing can be switched off, and stays off after a reload', async ({ openPage }) => {
  const page = await openWithClock(openPage, screens.home.path)
  await page.getByLabel('Refresh').selectOption('Off')
  await page.reload()
  await hydrated(page)
  await expect(page.getByLabel('Refresh')).toHaveValue('off')
  const requests: string[] = []
  // A script may still be loading.
  page.on('request', each => each.resourceType() !== 'script' && requests.push(each.url()))
  await page.clock.fastForward(10 * 60_000)
  expect(requests).toEqual([])
  const updated = page.getByText(/^Updated/)
  await expect(updated).toHaveText('Updated 10 min ago')
  await page.locator('summary', { hasText: 'Time range' }).click()
  await page.getByRole('link', { name: 'last 6 hours' }).click()
  await expect(updated).toHaveText(/^Updated (just now|\d s ago)$/)

  const refreshed = page.waitForResponse(response => new URL(response.url()).pathname === '/')
  await page.getByLabel('Refresh').selectOption('10 s')
  await page.clock.fastForward(10_000)
  await refreshed
})

test('a hidden tab does not refresh until it is visible again', async ({ openPage }) => {
  const page = await openWithClock(openPage, screens.home.path)
  const setVisibility = (state: string) =>
    page.evaluate(value => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  const requests: string[] = []
  // A script may still be loading.
  page.on('request', each => each.resourceType() !== 'script' && requests.push(each.url()))
  await setVisibility('hidden')
  await page.clock.fastForward(10 * 60_000)
  expect(requests).toEqual([])
  const refreshed = page.waitForResponse(response => new URL(response.url()).pathname === '/')
  await setVisibility('visible')
  await page.clock.runFor(100)
  await refreshed
})

test('a page resumes refreshing when the server is reachable again', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 1280, height: 500 } })
  page.expectConsoleMessage('ERR_')
  await page.clock.install()
  await page.goto(server.origin + screens.home.path)
  await hydrated(page)
  await page.context().setOffline(true)
  const failed = page.waitForEvent('requestfailed')
  await page.clock.fastForward(30_000)
  await failed
  await server.send(request('back-again'))
  await page.context().setOffline(false)
  await page.clock.fastForward(60_000)
  await expect(page.locator('main')).toContainText('back-again')
})

test('a page with an absolute time range has no refresh control', async ({ openPage }) => {
  const page = await openWithClock(openPage, '/dashboard?from=2026-11-01T00:00Z&to=2026-11-02T00:00Z')
  await expect(page.getByLabel('Refresh')).toHaveCount(0)
})

test('preferences that another tab saved apply to the next page', async ({ openPage }) => {
  const page = await openPage({ colorScheme: 'light' })
  await page.goto(server.origin + screens.home.path)
  await hydrated(page)
  const value = serializePreferences({ ...defaultPreferences, theme: 'dark', density: 'compact' })
  await page.context().addCookies([{ name: preferencesCookie, value, url: server.origin }])
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact')
})
