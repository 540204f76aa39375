import type { Page } from '@playwright/test'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'

const longName = 'deployment.environment.name'
const line = (msg: string) => ({ level: 30, time: Date.now(), name: 'shop', msg, [longName]: 'production' })
const server = serverForFile({}, server =>
  server.send(...Array.from({ length: 150 }, (_, index) => line(`order ${index}`)), {
    ...line('x'.repeat(5000)),
    name: 'verbose',
    user: 'ada',
  }),
)
const log = '/activities?q=service:shop'

const panelOf = (page: Page) => page.getByRole('region', { name: 'Open event' })
const rowOf = (page: Page, msg: string) => page.getByRole('link', { name: msg, exact: true })

test('Ctrl-clicking the row of the open event opens it in a new tab', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(server.origin + log)
  await hydrated(page)
  // This row is visible without scrolling.
  const row = rowOf(page, 'order 149')
  const startOfRow = { x: 8, y: 8 }
  await row.click({ position: startOfRow })
  await expect(panelOf(page)).toContainText('order 149')
  const opened = page.context().waitForEvent('page')
  await row.click({ position: startOfRow, modifiers: ['ControlOrMeta'] })
  await (await opened).waitForURL(page.url())
})

test('opening an event does not change the log', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  // Cumulative Layout Shift ignores shifts within half a second of a click. This sum includes them.
  await page.addInitScript(() => {
    Object.assign(window, { shift: 0 })
    new PerformanceObserver(list => {
      for (const entry of list.getEntries())
        Object.assign(window, {
          shift: Number(Reflect.get(window, 'shift')) + Number(Reflect.get(entry, 'value')),
        })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(server.origin + log)
  await hydrated(page)
  await rowOf(page, 'order 90').scrollIntoViewIfNeeded()
  const rest = () =>
    page.evaluate(() => ({
      scrollY,
      rows: [...document.querySelectorAll('.events tbody tr')].map(row => ({
        text: row.id,
        top: row.getBoundingClientRect().top,
      })),
      facets: document.querySelector('.facets')?.textContent,
      histogram: document.querySelector('.chart')?.outerHTML,
    }))
  const before = await rest()
  await page.evaluate(() => Object.assign(window, { shift: 0 }))
  const bytes = await transferredBytes(page)
  // The range is relative, so a page loaded now would have a different first row.
  await server.send(line('newer'))

  // The panel covers the end of the row. Hovering over a link in the panel would prefetch a page.
  const startOfRow = { position: { x: 8, y: 8 } }
  await rowOf(page, 'order 90').click(startOfRow)
  await expect(panelOf(page)).toContainText('order 90')
  expect(await rest()).toEqual(before)
  await rowOf(page, 'order 91').click(startOfRow)
  await expect(panelOf(page).locator('.event-body')).toHaveText('order 91')
  const name = await panelOf(page).getByText(longName, { exact: true }).boundingBox()
  expect(name?.height, 'a long attribute name is on one line').toBeLessThan(24)
  expect(await bytes(), 'bytes for two events').toBeLessThan(2 * 15_000)
  await page.keyboard.press('Escape')
  await expect(panelOf(page)).toBeHidden()
  expect(await rest()).toEqual(before)
  await expect(rowOf(page, 'order 91')).toBeFocused()
  expect(new URL(page.url()).searchParams.has('event')).toBe(false)
  expect(await page.evaluate(() => Reflect.get(window, 'shift'))).toBe(0)
})

test('keyboard: the panel shows the event of the focused row, and Back closes the panel', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(server.origin + log)
  await hydrated(page)
  await rowOf(page, 'order 100').focus()
  await page.keyboard.press('Enter')
  await expect(panelOf(page)).toContainText('order 100')
  await expect(rowOf(page, 'order 100')).toBeFocused()
  for (const key of ['j', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
  await expect(panelOf(page).locator('.event-body')).toHaveText('order 97')
  await page.keyboard.press('k')
  await expect(panelOf(page).locator('.event-body')).toHaveText('order 98')
  await expect(rowOf(page, 'order 98')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(panelOf(page)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(panelOf(page).getByRole('link', { name: 'Newer event' })).toBeFocused()
  await page.goBack()
  await expect(panelOf(page)).toBeHidden()
  await page.keyboard.press('j')
  await expect(page.locator('.events tbody a:focus'), 'j moves between rows again').toHaveCount(1)
  await expect(panelOf(page)).toBeHidden()
  await page.goForward()
  await expect(panelOf(page).locator('.event-body')).toHaveText('order 98')
  await panelOf(page).getByRole('link', { name: 'Close event' }).click()
  await expect(rowOf(page, 'order 98')).toBeFocused()
})

test('the URL of an open event shows the event and the log, even without JavaScript', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(server.origin + log)
  await hydrated(page)
  await rowOf(page, 'order 120').click()
  await expect(panelOf(page)).toContainText('order 120')
  const url = page.url()
  for (const javaScriptEnabled of [true, false]) {
    const other = await openPage({ javaScriptEnabled })
    await other.goto(url)
    await expect(panelOf(other)).toContainText('order 120')
    await expect(rowOf(other, 'order 119')).toBeVisible()
    await panelOf(other).getByRole('link', { name: 'Close event' }).click()
    await expect(panelOf(other)).toBeHidden()
    await expect(rowOf(other, 'order 119')).toBeVisible()
  }
})

test('going back from the table of the histogram shows the log and the open event', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(`${server.origin}${log}&range=1h`)
  await hydrated(page)
  await rowOf(page, 'order 149').click()
  await expect(panelOf(page)).toContainText('order 149')
  await page.locator('.activities-histogram').getByRole('link', { name: /table/i }).click()
  await expect(page.getByRole('link', { name: 'View the log' })).toBeVisible()
  await page.goBack()
  await expect(panelOf(page)).toContainText('order 149')
  await expect(rowOf(page, 'order 148')).toBeVisible()
})

for (const javaScriptEnabled of [true, false]) {
  test(`an open event links to the events above and below, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async ({
    openPage,
  }) => {
    const page = await openPage({ javaScriptEnabled })
    await page.goto(server.origin + log)
    if (javaScriptEnabled) await hydrated(page)
    await rowOf(page, 'order 90').click()
    const body = panelOf(page).locator('.event-body')
    await expect(body).toHaveText('order 90')
    await panelOf(page).getByRole('link', { name: 'Older event' }).click()
    await expect(body).toHaveText('order 89')
    await panelOf(page).getByRole('link', { name: 'Newer event' }).click()
    await expect(body).toHaveText('order 90')
    if (javaScriptEnabled)
      await expect(panelOf(page).getByRole('link', { name: 'Newer event' })).toBeFocused()
  })
}

test('the event of a failed request shows the request and its status, and links to the failure in its trace', async ({
  openPage,
}) => {
  const trace = { trace_id: 'c0ffee'.padEnd(32, '0'), name: 'bakery' }
  const err = {
    type: 'OvenError',
    message: 'too cold',
    stack: 'OvenError: too cold\n    at bake (/app/oven.ts:1:1)',
  }
  await server.send(
    { ...line('Baking failed'), ...trace, level: 50, err },
    { ...line('request completed'), ...trace, method: 'POST', route: '/bread', status: 500, durationMs: 12 },
  )
  const page = await openPage()
  await page.goto(`${server.origin}/activities?q=service:bakery`)
  await hydrated(page)
  await page.getByRole('link', { name: 'OvenError too cold Baking failed' }).waitFor()
  await page.getByRole('link', { name: 'POST /bread request completed' }).click()
  await expect(panelOf(page).locator('.event-body')).toContainText('POST /bread')
  await expect(panelOf(page).locator('.event-origin')).toContainText('500')
  await panelOf(page).getByRole('link', { name: 'View failure' }).click()
  await page.getByRole('region', { name: 'OvenError' }).waitFor()
})

test('live updates continue while an event is open', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(`${server.origin}/activities?q=service:live`)
  await hydrated(page)
  await page.getByRole('button', { name: 'Live' }).click()
  await page.locator('[data-connection=open]').waitFor()
  await server.send({ ...line('first live'), name: 'live' })
  await rowOf(page, 'first live').click()
  await expect(panelOf(page)).toContainText('first live')
  await server.send({ ...line('second live'), name: 'live' })
  await page.getByRole('button', { name: /1 new event/ }).click()
  await expect(rowOf(page, 'second live')).toBeVisible()
  await expect(panelOf(page)).toContainText('first live')
})

test('on a phone, an event fills the screen', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true })
  await page.goto(server.origin + log)
  await hydrated(page)
  await rowOf(page, 'order 140').tap()
  await expect(panelOf(page)).toBeFocused()
  expect(await panelOf(page).boundingBox()).toEqual({ x: 0, y: 0, width: 360, height: 740 })
  await panelOf(page).getByRole('link', { name: 'Close event' }).tap()
  await expect(panelOf(page)).toBeHidden()
  await expect(rowOf(page, 'order 140')).toBeFocused()
})

test('a long message leaves room for the fields', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(`${server.origin}/activities?q=service:verbose`)
  await hydrated(page)
  await page.locator('.events tbody a').first().click()
  await expect(panelOf(page).getByText('ada')).toBeInViewport()
  await panelOf(page).getByText('all 5,000 characters').click()
  await expect(panelOf(page).getByText('ada')).not.toBeInViewport()
})

/** Returns a function that returns the number of bytes received since this call. */
async function transferredBytes(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  return async () => bytes
}
