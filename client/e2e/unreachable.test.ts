import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type StartedServer, startServer } from '../../scripts/test/server.ts'
import { axeViolations } from './axe.ts'
import { checkoutDigest, failingCheckout } from './events.ts'
import { expect, hydrated, type OpenedPage, type TestFixtures, test } from './fixtures.ts'

/** Starts a server that can be stopped and started again with the same address and store. */
async function restartable(afterTest: TestFixtures['afterTest']) {
  const folder = await mkdtemp(join(tmpdir(), 'sixpane-e2e-'))
  afterTest(() => rm(folder, { recursive: true }))
  let server: StartedServer = await startServer({}, { folder })
  afterTest(() => server.stop())
  const { origin } = server
  await server.send(...failingCheckout(Date.now()))
  return {
    origin,
    stop: () => server.stop(),
    async start() {
      server = await startServer({ PORT: new URL(origin).port }, { folder })
    },
  }
}

/** Opens a page and marks its document, so that a reload can be detected. */
async function openMarked(page: OpenedPage, url: string): Promise<void> {
  page.expectConsoleMessage('ERR_CONNECTION_REFUSED')
  page.expectConsoleMessage('ERR_CONNECTION_RESET')
  await page.goto(url)
  await hydrated(page)
  await page.evaluate(() => document.body.setAttribute('data-marked', ''))
}

test('while the server is unreachable, the last clicked link opens when the server is back, and text is kept', async ({
  openPage,
  afterTest,
}) => {
  const server = await restartable(afterTest)
  const page = await openPage()
  await openMarked(page, `${server.origin}/activities`)
  await server.stop()
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'Can’t reach Sixpane' })
  await expect(notice).toBeVisible()
  await expect(page.locator('main[data-screen="activities"]')).toBeVisible()
  expect(await axeViolations(page, { within: '#page-notice' })).toEqual([])
  await notice.getByRole('button', { name: 'Retry now' }).focus()
  await server.start()
  // The page also retries automatically, so the button may already be gone.
  await page.keyboard.press('Enter')
  await expect(page.locator('main[data-screen="dashboard"]')).toBeVisible()
  await expect(notice).toBeHidden()
  await expect(page.locator('[data-marked]')).toHaveCount(1)

  page.on('dialog', dialog => dialog.accept())
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByLabel('Additional paths').fill('user.email')
  await server.stop()
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(notice).toBeVisible()
  await expect(page.getByLabel('Additional paths')).toHaveValue('user.email')
  await page.getByRole('link', { name: 'Activities', exact: true }).click()
  await expect(notice).toBeVisible()
  await server.start()
  await expect(page.locator('main[data-screen="activities"]')).toBeVisible()
  await expect(notice).toBeHidden()
  await expect(page.locator('[data-marked]')).toHaveCount(1)
})

test('text that is entered while the server is unreachable remains when it is back', async ({
  openPage,
  afterTest,
}) => {
  const server = await restartable(afterTest)
  const page = await openPage()
  await openMarked(page, `${server.origin}/development?digest=${checkoutDigest}`)
  const note = page.getByLabel('Add a note')
  const { href } = await page.evaluate(() => location)
  await server.stop()
  await page.getByRole('link', { name: 'All failures' }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'Can’t reach Sixpane' })
  await expect(notice).toBeVisible()
  await note.fill('Caused by')
  await expect(notice).toBeHidden()
  await server.start()
  await note.pressSequentially(' the deployment')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.locator('.notes')).toContainText('Caused by the deployment')
  await expect(page).toHaveURL(`${href}#notes`)
})

test('a prefetched page opens when the server is back and sends its code', async ({ openPage, shop }) => {
  const page = await openPage()
  await openMarked(page, `${shop.origin}/activities`)
  page.expectConsoleMessage('ERR_INTERNET_DISCONNECTED')
  const link = page.getByRole('link', { name: 'Dashboard', exact: true })
  const prefetched = page.waitForResponse(`${shop.origin}/dashboard`)
  await link.hover()
  await (await prefetched).finished()
  await page.context().setOffline(true)
  await link.click()
  await expect(page.getByRole('alert').filter({ hasText: 'Can’t reach Sixpane' })).toBeVisible()
  await expect(page.locator('main[data-screen="activities"]')).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.locator('main[data-screen="dashboard"]')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.locator('[data-marked]')).toHaveCount(1)
})

test('a page whose code is missing is loaded as a document and remains visible', async ({
  openPage,
  shop,
}) => {
  const page = await openPage()
  await openMarked(page, `${shop.origin}/activities`)
  page.expectConsoleMessage('status of 404')
  page.expectConsoleMessage('dynamically imported module')
  const documents: string[] = []
  page.on('request', request => {
    if (request.isNavigationRequest()) documents.push(request.url())
  })
  await page.route(/assets\/dashboard-/, route => route.fulfill({ status: 404 }))
  const reported = page.waitForEvent('pageerror')
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await reported
  await expect(page.locator('main[data-screen="dashboard"]')).toBeVisible()
  await page.getByRole('link', { name: 'Activities', exact: true }).click()
  await expect(page.locator('main[data-screen="activities"]')).toBeVisible()
  await hydrated(page)
  expect(documents).toEqual([`${shop.origin}/dashboard`, `${shop.origin}/activities`])
})
