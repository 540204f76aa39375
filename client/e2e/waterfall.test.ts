import type { Locator, Page } from '@playwright/test'
import { paths } from '../../shared/paths.ts'
import { axeViolations } from './axe.ts'
import { checkoutDigest } from './events.ts'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'
import { looks } from './looks.ts'
import { failingTrace, traceId } from './trace.ts'

const nowMs = Date.now()
const longAgo = new Date(nowMs - 20 * 86_400_000).toISOString().replace('Z', '456Z')
const server = serverForFile({}, async server => {
  await server.send(...failingTrace(nowMs))
  // A busy service logs more events within 30 s of the trace than fit on one page of the log.
  const busy = (index: number) => ({
    name: 'busy',
    time: nowMs - 75_000 + index * 30,
    level: 30,
    msg: `busy ${index}`,
  })
  await server.send(...Array.from({ length: 1000 }, (_, index) => busy(index)))
  await server.send({
    name: 'old',
    time: longAgo,
    level: 30,
    msg: 'long ago',
    traceId: 'ab'.repeat(16),
  })
  await server.send(
    ...['auth-api', 'catalog-service-primary'].map(name => ({
      name,
      time: nowMs,
      level: 30,
      msg: 'named',
      traceId: 'cd'.repeat(16),
    })),
  )
})
const trace = paths.activities({ q: `trace:${traceId}` })

/** Returns the link to the open event. */
const openLink = (within: Page | Locator, name: string) =>
  within.getByRole('link', { name }).and(within.locator('[aria-current=true]'))

test('a failure shows the log lines that all services wrote for its request', async ({ openPage, shop }) => {
  const page = await openPage()
  await page.goto(`${shop.origin}/development?digest=${checkoutDigest}`)
  await hydrated(page)
  const lines = page.getByRole('table', { name: 'Log lines of the request, oldest first' })
  await expect(lines.getByRole('row')).toContainText([
    /Time/,
    /cart loaded/,
    /stock is low/,
    /card network/,
    /checkout failed|properties of null/,
  ])
  await lines.getByRole('link', { name: 'stock is low' }).click()
  await page.getByRole('article', { name: 'Event' }).getByText('stock is low').first().waitFor()
})

test('log lines can be copied as text, one line per event, oldest first', async ({ openPage, shop }) => {
  const page = await openPage({
    permissions: ['clipboard-read', 'clipboard-write'],
    viewport: { width: 1280, height: 900 },
  })
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  const copyLines = async () => {
    await page.getByRole('button', { name: 'Copy lines' }).press('Enter')
    await expect(page.locator('#announcer')).toHaveText('Copied')
    return (await copied()).split('\n')
  }
  const time = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`
  await page.goto(`${shop.origin}/development?digest=${checkoutDigest}`)
  await hydrated(page)
  const ofRequest = await copyLines()
  expect(ofRequest[0]).toMatch(new RegExp(`${time} debug shop cart loaded$`))
  expect(ofRequest).toEqual(ofRequest.toSorted())

  const table = page.getByRole('table', { name: 'Log lines of the request' })
  const rows = await table.getByRole('row').count()
  await table.locator('tbody').evaluate(body => getSelection()?.selectAllChildren(body))
  await page.keyboard.press('Control+c')
  const selected = (await copied()).trim().split('\n')
  expect(selected, 'the heading is not selected').toHaveLength(rows - 1)
  expect(selected[0]).toMatch(/\tshop\t+cart loaded/)

  await page.getByRole('button', { name: 'Copy as Markdown', includeHidden: true }).evaluate(element => {
    element.closest('details')?.setAttribute('open', '')
  })
  await page.getByRole('button', { name: 'Copy as Markdown' }).click()
  await expect.poll(copied).toContain(`&digest=${checkoutDigest}`)
  expect(await copied()).toContain(ofRequest.at(-1))

  await table.getByRole('link', { name: 'cart loaded' }).click()
  await page.getByRole('region', { name: 'Trace' }).waitFor()
  const ofTrace = await copyLines()
  expect(ofTrace).toEqual(ofTrace.toSorted())
  expect(ofTrace.find(line => line.includes('stock is low'))).toMatch(
    new RegExp(`${time} warn stock stock is low$`),
  )
})

for (const javaScriptEnabled of [true, false]) {
  test(`a trace is shown as a table of its events, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async ({
    openPage,
  }) => {
    const page = await openPage({ javaScriptEnabled })
    await page.goto(server.origin + trace)
    if (javaScriptEnabled) await hydrated(page)
    const waterfall = page.getByRole('region', { name: 'Trace' })
    await waterfall.getByText('9 events from 3 services in 1.42 s').waitFor()
    const rows = waterfall.getByRole('row')
    for (const name of ['Start', 'Event', 'Duration']) {
      expect(await waterfall.getByRole('columnheader', { name }).count(), name).toBe(1)
    }
    await expect(rows.nth(1)).toContainText(/180 ms.*shop.*error.*POST \/checkout 500.*1.24 s/)
    await expect(rows.nth(2)).toContainText(/0 ms.*Level 2.*pay.*error.*POST \/charge 502.*620 ms/)
    await expect(rows.filter({ hasText: 'card network' })).toContainText('Level 3')
    expect(
      await page.locator('.activities-histogram, .facets').count(),
      'the histogram and the filter values are hidden',
    ).toBe(0)
    expect(await rows.filter({ hasText: 'No events for' }).count(), 'pauses are shown').toBeTruthy()
    await waterfall.getByText('The clock of pay is at least 180 ms behind the clock of shop').waitFor()

    await waterfall.getByRole('link', { name: 'POST /checkout 500' }).click()
    await page.getByRole('region', { name: 'Open event' }).waitFor()
    await openLink(waterfall, 'POST /checkout 500').waitFor()
    await page.getByRole('link', { name: 'Close event' }).click()
    await page.getByRole('region', { name: 'Open event' }).waitFor({ state: 'detached' })
  })
}

test('the position and width of each bar match the times of the event, and hovering shows the time since the start', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(server.origin + trace)
  await hydrated(page)
  const boxes = await page
    .getByRole('region', { name: 'Trace' })
    .locator('td:last-child svg')
    .evaluateAll(pictures =>
      pictures.map(picture => {
        const frame = picture.getBoundingClientRect()
        return [...picture.querySelectorAll('rect, circle, line')].map(shape => {
          const { left, right } = shape.getBoundingClientRect()
          return { left: (left - frame.left) / frame.width, right: (right - frame.left) / frame.width }
        })
      }),
    )
  for (const { left, right } of boxes.flat())
    expect(left > -0.02 && right < 1.02, `${left} ${right}`).toBeTruthy()
  const [charge] = boxes[1] ?? []
  expect(
    Math.abs((charge?.right ?? 0) - 620 / 1420) < 0.01,
    `the charge ends at ${charge?.right}`,
  ).toBeTruthy()

  const axis = await page.locator('.waterfall-axis').boundingBox()
  const row = await page.getByRole('region', { name: 'Trace' }).getByRole('row').nth(2).boundingBox()
  if (axis === null || row === null) throw new Error('The trace is not visible')
  const cursor = page.locator('.waterfall-cursor')
  await expect(async () => {
    await page.mouse.move(axis.x + axis.width / 3, row.y + row.height / 2)
    await page.mouse.move(axis.x + axis.width / 2, row.y + row.height / 2)
    await expect(cursor).toHaveText('710 ms', { timeout: 200 })
  }).toPass()
  await page.mouse.move(row.x + 20, row.y)
  await expect(cursor).toBeHidden()
})

test('an open event shows its trace with links to the other events', async ({ openPage }) => {
  const page = await openPage()
  await page.goto(server.origin + paths.activities({ q: '"stock is low"' }))
  await hydrated(page)
  await page.getByRole('region', { name: 'Events' }).getByRole('link', { name: 'stock is low' }).click()
  const open = page.getByRole('region', { name: 'Open event' })
  await open.getByRole('region', { name: 'Trace' }).getByRole('link', { name: 'cart loaded' }).click()
  await openLink(open, 'cart loaded').waitFor()
  expect(new URL(page.url()).searchParams.get('q'), 'the search is preserved').toContain('stock is low')
})

test('View trace shows the whole trace, even if the log shows only a part of it', async ({ openPage }) => {
  const page = await openPage()
  const atMs = nowMs - 60_000 + 40
  const range = { fromMs: atMs, toMs: atMs + 100 }
  await page.goto(server.origin + paths.activities({ q: '"stock is low"', range }))
  await hydrated(page)
  await page.getByRole('region', { name: 'Events' }).getByRole('link', { name: 'stock is low' }).click()
  const panel = page.getByRole('region', { name: 'Open event' })
  await panel.getByText('9 events from 3 services').waitFor()
  await panel.getByRole('link', { name: 'View trace' }).click()
  await panel.waitFor({ state: 'detached' })
  await page.getByRole('region', { name: 'Trace' }).getByText('9 events from 3 services').waitFor()
})

test('View request and View failure ignore another service with the same request counter', async ({
  openPage,
}) => {
  const log = (name: string, agoMs: number, rest: object) => ({
    name,
    time: nowMs - agoMs,
    level: 50,
    reqId: 'req-7',
    ...rest,
  })
  const err = (type: string) => ({
    type,
    message: 'broken',
    stack: `${type}: broken\n    at f (/app/${type}.ts:1:1)`,
  })
  await server.send(
    log('till', 1_200_000, { msg: 'failed', err: err('TillError') }),
    log('desk', 31_000, { msg: 'failed', err: err('DeskError') }),
    log('desk', 30_000, {
      msg: 'request completed',
      method: 'POST',
      route: '/desk',
      status: 500,
      durationMs: 12,
    }),
  )
  const page = await openPage()
  await page.goto(server.origin + paths.activities({ q: 'request:req-7', range: { span: '1h' } }))
  await hydrated(page)
  const events = page.getByRole('region', { name: 'Events' })
  const panel = page.getByRole('region', { name: 'Open event' })
  await events.getByRole('link', { name: 'TillError' }).click()
  await panel.getByText('TillError').first().waitFor()
  // The panel may cover the row.
  await events.getByRole('link', { name: 'POST /desk' }).press('Enter')
  await panel.getByText('POST /desk').first().waitFor()
  await panel.getByRole('link', { name: 'View request' }).click()
  const request = page.getByRole('region', { name: 'Request' })
  await request.getByText('2 events from desk').waitFor()
  await request.getByRole('link', { name: 'POST /desk' }).click()
  await panel.getByRole('link', { name: 'View failure' }).click()
  await page.getByRole('region', { name: 'DeskError' }).waitFor()
})

test('the row of the open event is scrolled into view in its trace', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 400, height: 600 } })
  await page.goto(server.origin + paths.activities({ q: '"stock is low"' }))
  await hydrated(page)
  await page.getByRole('region', { name: 'Events' }).getByRole('link', { name: 'stock is low' }).click()
  const trace = page.getByRole('region', { name: 'Trace' })
  const isMiddleVisible = async () => {
    const row = await openLink(trace, 'stock is low').boundingBox()
    const frame = await trace.getByRole('group', { name: 'Rows' }).boundingBox()
    const middle = (row?.y ?? 0) + (row?.height ?? 0) / 2 - (frame?.y ?? 0)
    return middle > 0 && middle < (frame?.height ?? 0)
  }
  await expect.poll(isMiddleVisible).toBe(true)
})

for (const javaScriptEnabled of [true, false]) {
  test(`context links show the log scrolled to the event, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async ({
    openPage,
  }) => {
    const page = await openPage({ javaScriptEnabled })
    await page.goto(server.origin + paths.activities({ q: '"stock is low"' }))
    if (javaScriptEnabled) await hydrated(page)
    await page.getByRole('region', { name: 'Events' }).getByRole('link', { name: 'stock is low' }).click()
    await page.getByRole('region', { name: 'Open event' }).waitFor()
    await page.getByRole('link', { name: '± 30 s in all services' }).click()
    const row = openLink(page.getByRole('region', { name: 'Events' }), 'stock is low')
    await page.getByRole('region', { name: 'Events' }).getByText('busy').first().waitFor()
    const isVisible = () =>
      row.evaluate(link => {
        const { top, bottom } = link.getBoundingClientRect()
        return top > 48 && bottom < innerHeight
      })
    await expect.poll(isVisible).toBe(true)
    await page.getByRole('region', { name: 'Open event' }).waitFor()

    await page.getByRole('link', { name: '± 5 min in stock' }).click()
    await page
      .getByRole('region', { name: 'Events' })
      .getByText('busy')
      .first()
      .waitFor({ state: 'detached' })
    await openLink(page, 'stock is low').first().waitFor()
  })
}

test('a copied time is exact, and a copied link, which has no time range, opens an old event', async ({
  openPage,
}) => {
  const page = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(server.origin + paths.activities({ q: 'service:old', range: { span: '30d' } }))
  await hydrated(page)
  await page.getByRole('link', { name: 'long ago' }).click()
  await page.getByRole('button', { name: 'Copy time' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(longAgo)
  await page.getByRole('button', { name: 'Copy link' }).click()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(/\/activities\?event=\d+#event$/)
  const plain = await openPage({ javaScriptEnabled: false })
  await plain.goto(page.url())
  await expect(plain.getByRole('link', { name: 'Link to this event' })).toHaveJSProperty('href', link)
  await expect(page.getByRole('link', { name: 'Link to this event' })).toBeHidden()
  await page.goto(link)
  await page.getByRole('region', { name: 'Open event' }).getByText('long ago').first().waitFor()
  await openLink(page.getByRole('region', { name: 'Events' }), 'long ago').waitFor()
  const alone = page.getByText('No other events in this trace')
  await alone.waitFor()
  expect(await page.getByRole('region', { name: 'Trace' }).getByRole('table').count(), 'collapsed').toBe(0)
  await alone.click()
  await page.getByRole('region', { name: 'Trace' }).getByRole('table').waitFor()
})

test('nested events can be folded with the mouse, keyboard and touch', async ({ openPage }) => {
  const page = await openPage({ hasTouch: true })
  await page.goto(server.origin + trace)
  await hydrated(page)
  const waterfall = page.getByRole('region', { name: 'Trace' })
  const cart = waterfall.getByRole('link', { name: 'cart loaded' })
  const charge = waterfall.getByRole('link', { name: 'POST /charge 502' })
  const ofRoot = waterfall.getByRole('row', { name: 'POST /checkout 500' }).getByRole('button')
  await waterfall.getByRole('row', { name: 'POST /charge 502' }).getByRole('button').click()
  await expect(waterfall.getByRole('link', { name: 'card network' })).toHaveCount(0)
  await expect(cart).toBeVisible()
  await ofRoot.focus()
  await page.keyboard.press('Enter')
  await expect(ofRoot).toBeFocused()
  await expect(ofRoot).toHaveAttribute('aria-expanded', 'false')
  await expect(charge).toHaveCount(0)
  await expect(waterfall.getByRole('row')).toHaveCount(2)
  await ofRoot.tap()
  await expect(charge).toBeVisible()
  await expect(waterfall.getByRole('link', { name: 'card network' }), 'still folded').toHaveCount(0)
})

test('keyboard: an event can be opened from the trace', async ({ openPage }) => {
  const page = await openPage()
  await page.goto(server.origin + trace)
  await hydrated(page)
  await page.locator('summary', { hasText: 'Full trace' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.searchParams.has('event'))
  await openLink(page.getByRole('region', { name: 'Trace' }), '').waitFor()
})

test('a service name of usual length is not cut off', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(server.origin + paths.activities({ q: `trace:${'cd'.repeat(16)}` }))
  const name = page.getByRole('region', { name: 'Trace' }).getByTitle('catalog-service-primary')
  expect(await name.evaluate(element => element.scrollWidth - element.clientWidth)).toBe(0)
})

for (const { colorScheme, width } of looks) {
  test(`axe finds no violations in a trace with an open event, ${colorScheme}, ${width} px`, async ({
    openPage,
  }) => {
    const page = await openPage({
      colorScheme,
      viewport: { width, height: 800 },
    })
    // every-page.test.ts checks the trace without an open event.
    await page.goto(server.origin + trace)
    await hydrated(page)
    await page.getByRole('region', { name: 'Events' }).getByRole('link', { name: 'stock is low' }).click()
    await openLink(page, 'stock is low').first().waitFor()
    expect(await axeViolations(page, { within: '#event, .waterfall' }), 'the trace is searched').toEqual([])
    await page.goto(server.origin + paths.activities({ q: '"stock is low"' }))
    await page.getByRole('link', { name: 'stock is low' }).click()
    await page.getByRole('region', { name: 'Trace' }).waitFor()
    expect(await axeViolations(page, { within: '.waterfall' }), 'the event is searched').toEqual([])
  })
}
