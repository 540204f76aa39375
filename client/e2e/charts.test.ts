import type { Locator, Page } from '@playwright/test'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'

const nowMs = Date.now()
const minuteMs = 60_000
/**
 * A service that got four requests per minute for 130 minutes, and a new release 20 minutes ago. In every ninth minute, the
 * slowest request failed.
 */
const server = serverForFile({}, server =>
  server.send(
    ...Array.from({ length: 520 }, (_, index) => ({
      time: nowMs - Math.floor(index / 4) * minuteMs - (index % 4) * 1000,
      name: 'shop',
      version: index < 80 ? '1.5.0' : '1.4.0',
      level: index % 36 === 3 ? 50 : 30,
      msg: 'request completed',
      method: 'GET',
      route: '/cart',
      status: index % 36 === 3 ? 500 : 200,
      durationMs: 5 + (index % 4) * 300 + (index % 7),
    })),
  ),
)

const desktop = { viewport: { width: 1280, height: 1000 } }

function chart(page: Page, name: RegExp): Locator {
  return page.getByRole('group', { name })
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(server.origin + path)
  await hydrated(page)
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (box === null) throw new Error('The element is not shown')
  return box
}

function lengthOf(url: string): number {
  const params = new URL(url).searchParams
  return Date.parse(params.get('to') ?? '') - Date.parse(params.get('from') ?? '')
}

test('a chart shows its values beside the pointer, and all charts mark the same time', async ({
  openPage,
}) => {
  const page = await openPage(desktop)
  await open(page, '/dashboard?service=shop')
  const latency = chart(page, /^Latency, /)
  const box = await boxOf(latency)
  for (const share of [0.02, 0.3, 0.5, 0.9]) {
    const x = box.x + box.width * share
    await page.mouse.move(x, box.y + 60)
    const readout = latency.locator('.chart-readout')
    await readout.getByText('previous p95').waitFor()
    await expect(readout.getByText(/^shop 1\.5\.0 first seen .*\d\d:\d\d$/)).toHaveCount(
      share === 0.9 ? 1 : 0,
    )
    const shown = await boxOf(readout)
    const crosshairs = await page.locator('.chart-crosshair').all()
    expect(crosshairs.length).toBe(4)
    const shares = await Promise.all(
      crosshairs.map(async crosshair => {
        const [line, plot] = [await boxOf(crosshair), await boxOf(crosshair.locator('..'))]
        return ((line.x + line.width / 2 - plot.x) / plot.width).toFixed(2)
      }),
    )
    expect(new Set(shares).size, `all charts mark the same time: ${shares}`).toBe(1)
    for (const dot of await latency.locator('.chart-dot').all()) {
      const point = await boxOf(dot)
      const isCovered =
        point.x + point.width > shown.x &&
        point.x < shown.x + shown.width &&
        point.y + point.height > shown.y &&
        point.y < shown.y + shown.height
      expect(isCovered, `a dot is covered at ${share}`).toBe(false)
    }
    expect(shown.x >= 0 && shown.x + shown.width <= 1280, 'the readout is in the window').toBe(true)
  }
  await page.mouse.move(2, 2)
  await latency.getByText('previous p95').waitFor({ state: 'hidden' })
})

test('an incomplete minute is striped and is not compared', async ({ openPage }) => {
  const page = await openPage(desktop)
  const fromMs = Math.floor(nowMs / minuteMs) * minuteMs - 45 * minuteMs
  const to = new Date(fromMs + 44.5 * minuteMs).toISOString()
  await open(page, `/dashboard?service=shop&from=${new Date(fromMs).toISOString()}&to=${to}`)
  const latency = chart(page, /^Latency, /)
  await latency.focus()
  await page.keyboard.press('ArrowLeft')
  await latency.getByText('incomplete').waitFor()
  await expect(latency.getByText(/[▲▼]/)).toHaveCount(0)
  expect(await latency.locator('.chart-dot').filter({ visible: true }).count()).toBe(0)
  await page.keyboard.press('ArrowLeft')
  await latency.getByText('incomplete').waitFor({ state: 'hidden' })
  expect(await latency.locator('.chart-dot').filter({ visible: true }).count()).toBe(3)
})

test('dragging over a chart zooms the dashboard, Escape cancels the drag, and a double click zooms out', async ({
  openPage,
}) => {
  const page = await openPage(desktop)
  await open(page, '/dashboard?service=shop&sort=busiest')
  const latency = chart(page, /^Latency, /)
  const box = await boxOf(latency)
  const y = box.y + 60
  const drag = async () => {
    await page.mouse.move(box.x + box.width * 0.5, y)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.7, y, { steps: 3 })
    await expect(page.locator('.chart-selection').filter({ visible: true })).toHaveCount(4)
    const readout = latency.locator('.chart-readout')
    // Around midnight, the range contains dates.
    await expect(readout, 'the readout shows the selected range instead of values').toHaveText(
      /^(\w+ \d+ )?\d\d:\d\d – (\w+ \d+ )?\d\d:\d\d$/,
    )
  }
  const before = page.url()
  await drag()
  await page.keyboard.press('Escape')
  await expect(page.locator('.chart-selection').filter({ visible: true })).toHaveCount(0)
  await page.mouse.up()
  expect(page.url(), 'Escape cancels').toBe(before)

  await drag()
  await page.mouse.up()
  await page.waitForURL(url => url.searchParams.has('from'))
  const { searchParams } = new URL(page.url())
  expect([searchParams.get('service'), searchParams.get('sort')]).toEqual(['shop', 'busiest'])
  const zoomed = lengthOf(page.url())
  expect(zoomed > 8 * minuteMs && zoomed < 20 * minuteMs, `${zoomed} ms`).toBe(true)

  await page.locator('.chart-to-table[href*="from="]').first().waitFor()
  await page.mouse.dblclick(box.x + box.width * 0.5, y)
  await page.waitForURL(url => lengthOf(url.href) === 2 * zoomed)
})

test('the keyboard moves through values, selects a time range and zooms to it twice, and Back undoes each zoom', async ({
  openPage,
}) => {
  const page = await openPage(desktop)
  await open(page, '/dashboard?service=shop')
  const rate = chart(page, /^Request rate/)
  await rate.focus()
  await page.keyboard.press('End')
  // The last minutes may have begun after the events were sent.
  for (let step = 0; step < 10; step += 1) await page.keyboard.press('ArrowLeft')
  await expect(page.locator('#announcer')).toHaveText(/requests 4\.00\/min.*previous period/)
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(page.locator('.chart-selection').filter({ visible: true })).toHaveCount(4)
  await page.keyboard.press('Escape')
  await expect(page.locator('.chart-selection').filter({ visible: true })).toHaveCount(0)
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.searchParams.has('from'))
  expect(lengthOf(page.url())).toBe(3 * minuteMs)
  await page.locator('.chart-to-table[href*="from="]').first().waitFor()
  await page
    .getByRole('group', { name: /^Request rate/ })
    .and(page.locator(':focus'))
    .waitFor()
  for (const key of ['ArrowLeft', 'Shift+ArrowLeft', 'Enter']) await page.keyboard.press(key)
  await page.waitForURL(url => lengthOf(url.href) < 3 * minuteMs)
  await page.goBack()
  await page.waitForURL(url => lengthOf(url.href) === 3 * minuteMs)
  await page.goBack()
  await page.waitForURL(url => !url.searchParams.has('from'))
})

test('clicking the legend shows one series or all, and Shift-clicking toggles one', async ({ openPage }) => {
  const page = await openPage(desktop)
  await open(page, '/dashboard?service=shop')
  const section = page.getByRole('region', { name: 'Latency', exact: true })
  const [p50, p95, p99] = ['p50', 'p95', 'p99'].map(name =>
    section.getByRole('button', { name, exact: true }),
  )
  if (!p50 || !p95 || !p99) throw new Error('There is no legend')
  const pressed = () => Promise.all([p50, p95, p99].map(each => each.getAttribute('aria-pressed')))
  expect(await pressed()).toEqual(['true', 'true', 'true'])
  const top = section.locator('.chart-values text').last()
  await expect(top).toHaveText('1 s')
  await p50.focus()
  await page.keyboard.press('Enter')
  expect(await pressed()).toEqual(['true', 'false', 'false'])
  await expect(top, 'the scale fits the series').toHaveText(/^\d00 ms$/)
  await p99.click({ modifiers: ['Shift'] })
  expect(await pressed()).toEqual(['true', 'false', 'true'])
  await chart(page, /^Latency, /).hover()
  const readout = section.locator('.chart-readout')
  await readout.getByText('p99').waitFor()
  await expect(readout.getByText('p95')).toHaveCount(0)
  await p50.click()
  await p50.click()
  expect(await pressed()).toEqual(['true', 'true', 'true'])
  await expect(top).toHaveText('1 s')
})

test('touch: a tap shows values, a second tap opens the events, and dragging zooms', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true })
  await open(page, '/dashboard?service=shop')
  const errors = chart(page, /^Error rate/)
  await errors.scrollIntoViewIfNeeded()
  const box = await boxOf(errors)
  const [x, y] = [box.x + box.width / 2, box.y + 60]
  await page.touchscreen.tap(x, y)
  await errors.locator('.chart-readout').getByText('errors').waitFor()
  const readout = await boxOf(errors.locator('.chart-readout'))
  expect(readout.x >= 0 && readout.x + readout.width <= 360).toBe(true)
  expect(new URL(page.url()).pathname).toBe('/dashboard')

  const client = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', atX: number) =>
    client.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: atX, y }],
    })
  await touch('touchStart', x)
  for (const step of [10, 30, 60]) await touch('touchMove', x + step)
  await touch('touchEnd', x + 60)
  await page.waitForURL(url => url.searchParams.has('from'))
  await page.goBack()
  await page.locator('.chart-to-table:not([href*="from="])').first().waitFor()

  await page.touchscreen.tap(x, y)
  await errors.locator('.chart-readout').getByText('errors').waitFor()
  await page.touchscreen.tap(x, y)
  await page.locator('main[data-screen=activities]').waitFor()
})

test('no number is cut off on narrow screens', async ({ openPage }) => {
  const page = await openPage()
  await page.goto(`${server.origin}/dashboard`)
  for (const width of [360, 768]) {
    await page.setViewportSize({ width, height: 900 })
    const cut = await page.locator('main td, main .stat-value').evaluateAll(cells =>
      cells.flatMap(cell => {
        const range = document.createRange()
        range.selectNodeContents(cell)
        const { left, right } = range.getBoundingClientRect()
        const frame = (cell.closest('.scroll-x') ?? document.documentElement).getBoundingClientRect()
        const isCut = right > Math.min(frame.right, innerWidth) + 1 || left < Math.max(frame.left, 0) - 1
        return isCut ? [cell.textContent] : []
      }),
    )
    expect(cut, `${width} px`).toEqual([])
  }
})

test('without JavaScript, a bar shows its values and opens its events, and the legend is text', async ({
  openPage,
}) => {
  const page = await openPage({ javaScriptEnabled: false, ...desktop })
  await page.goto(`${server.origin}/activities?q=service:shop`)
  expect(await page.locator('.chart-legend button').count()).toBe(0)
  const bar = page.locator('.chart-read a').nth(30)
  // Shortly after midnight, the times of the day before include the date.
  expect(await bar.locator('title').textContent()).toMatch(/^(\w{3} \d+ )?\d\d:\d\d\n(error: 1\n)?info: \d/)
  await bar.click()
  await page.waitForURL(url => url.searchParams.has('from'))
  expect(lengthOf(page.url())).toBe(minuteMs)
})
