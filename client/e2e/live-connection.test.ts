/** Tests that live feeds close in hidden tabs, and that they reconnect after any failure without missing events. */
import type { Page } from '@playwright/test'
import { paths } from '../../shared/paths.ts'
import { expect, hydrated, type OpenedPage, serverForFile, test } from './fixtures.ts'

const server = serverForFile()
const isFeed = (url: URL) => url.pathname === paths.live()
const answerOnce503 = (page: Page) =>
  page.route(isFeed, route => route.fulfill({ status: 503 }), { times: 1 })
const nextFeed = (page: Page) => page.waitForRequest(request => isFeed(new URL(request.url())))
const open = (page: Page) => page.locator('[data-connection=open]')
const disconnected = (page: Page) => page.getByRole('status').getByText('Live stream disconnected.')

async function openWithClock(openPage: () => Promise<OpenedPage>, path: string): Promise<OpenedPage> {
  const page = await openPage()
  await page.clock.install()
  await page.goto(server.origin + path)
  await hydrated(page)
  return page
}

/** Hides the tab, and resolves when its feed has closed. */
async function hide(page: Page): Promise<void> {
  const closed = page.waitForEvent('requestfailed', request => isFeed(new URL(request.url())))
  await setVisibility(page, 'hidden')
  await closed
}

function setVisibility(page: Page, state: DocumentVisibilityState): Promise<void> {
  return page.evaluate(value => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}

// First, because the notice is only on the page of a server without events.
test('Home waits for the first event in spite of a refused connection and a hidden tab', async ({
  openPage,
}) => {
  const page = await openPage()
  page.expectConsoleMessage('status of 503')
  await page.clock.install()
  await answerOnce503(page)
  const refused = page.waitForResponse(response => isFeed(new URL(response.url())))
  await page.goto(server.origin)
  expect((await refused).status()).toBe(503)
  const waiting = page.locator('.home-waiting')
  await expect(waiting).toHaveAttribute('data-unseen')
  await page.clock.fastForward(5_000)
  await expect(waiting).not.toHaveAttribute('data-unseen')
  await hide(page)
  await server.send({ name: 'first', msg: 'sent while hidden' })
  await setVisibility(page, 'visible')
  await page.getByText('first is connected: first event received').waitFor()
})

test('a hidden tab closes its live feed, and misses no events', async ({ openPage }) => {
  const page = await openWithClock(openPage, paths.activities({ q: 'service:hidden', range: { span: '1h' } }))
  await page.getByRole('button', { name: 'Live' }).click()
  await open(page).waitFor()
  await server.send({ name: 'hidden', msg: 'before' })
  await page.getByRole('link', { name: 'before' }).waitFor()
  await hide(page)
  await server.send({ name: 'hidden', msg: 'meanwhile' })
  await setVisibility(page, 'visible')
  await page.getByRole('link', { name: 'meanwhile' }).waitFor()
  await open(page).waitFor()
  await expect(page.locator('.activities-bar')).toContainText('2 events')
})

test('live updates try again after the server has refused the connection', async ({ openPage }) => {
  const page = await openWithClock(openPage, paths.activities({ q: 'service:busy', range: { span: '1h' } }))
  page.expectConsoleMessage('status of 503')
  await answerOnce503(page)
  await page.getByRole('button', { name: 'Live' }).click()
  await disconnected(page).waitFor()
  await server.send({ name: 'busy', msg: 'meanwhile' })
  await page.clock.fastForward(5_000)
  await page.getByRole('link', { name: 'meanwhile' }).waitFor()
  await open(page).waitFor()
  await expect(disconnected(page)).toHaveCount(0)
})

test('live updates reconnect if nothing arrives', async ({ openPage }) => {
  const page = await openWithClock(openPage, paths.activities({ q: 'service:silent', range: { span: '1h' } }))
  await page.getByRole('button', { name: 'Live' }).click()
  await open(page).waitFor()
  const reconnected = nextFeed(page)
  // The server's clock does not advance, so it sends no heartbeat.
  await page.clock.fastForward(40_000)
  await reconnected
  await open(page).waitFor()
})
