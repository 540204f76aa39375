import { paths } from '../../shared/paths.ts'
import { preferencesCookie, preferencesOf, serializePreferences } from '../../shared/preferences.ts'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'

const longRoute = '/api/v2/customers/:customerId/orders/:orderId/refunds'
const line = (index: number) => ({
  level: [30, 30, 40, 50, 60, 20][index % 6],
  time: Date.now() - index * 1000,
  name: 'dense',
  version: '1.0.0',
  msg: `dense ${index}: the message of a request that is longer than its column, so it is cut at the end`,
  req: { method: 'GET', url: longRoute },
  route: longRoute,
  res: { statusCode: index % 5 === 1 ? 503 : 200 },
  responseTime: 12 + index,
})

const server = serverForFile({}, server =>
  server.send(
    ...Array.from({ length: 120 }, (_, index) => line(index)),
    { level: 30, time: Date.now() - 3 * 24 * 3_600_000, name: 'early', msg: 'three days ago' },
    ...Array.from({ length: 5 }, () => ({ level: 30, time: Date.now(), name: 'plain', msg: 'no fields' })),
  ),
)
const dense = paths.activities({ q: 'service:dense', range: { span: '1h' } })
const desktop = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 360, height: 800 }, isMobile: true, hasTouch: true }

test('on a desktop, 20 rows are visible, the message takes almost half of the width, and severities are readable', async ({
  openPage,
}) => {
  const page = await openPage(desktop)
  await page.goto(server.origin + dense)
  const rows = await page
    .locator('.events tbody tr')
    .evaluateAll(all => all.filter(row => row.getBoundingClientRect().bottom <= innerHeight).length)
  expect(rows).toBeGreaterThanOrEqual(20)
  const width = async (name: string) =>
    (await page.getByRole('columnheader', { name }).boundingBox())?.width ?? 0
  const table = (await page.getByRole('table').first().boundingBox())?.width ?? 0
  expect((await width('Message')) / table).toBeGreaterThanOrEqual(0.45)
  await expect(page.getByRole('link', { name: `GET ${longRoute} dense` }).first()).toBeVisible()

  const row = (index: number) => page.getByRole('row', { name: `dense ${index}:` })
  await expect(row(0)).toHaveAccessibleName(/^info /)
  await expect(row(5)).toHaveAccessibleName(/^debug /)
  await expect(row(2).getByRole('cell', { name: 'warn', exact: true })).toBeVisible()
  await expect(row(4).getByRole('cell', { name: 'fatal', exact: true })).toBeVisible()
  await expect(row(0).getByRole('cell', { name: 'info', exact: true })).toHaveCount(0)
  const background = (index: number) => row(index).evaluate(each => getComputedStyle(each).backgroundColor)
  expect(await background(1), 'a row with a 5xx response is tinted').toBe(await background(3))
  expect(await background(0)).not.toBe(await background(3))
})

test('no time is cut off, today or on another day, with either clock', async ({ openPage }) => {
  const page = await openPage(desktop)
  for (const clock of ['24h', '12h'] as const) {
    const value = serializePreferences({ ...preferencesOf({}), clock })
    await page.context().addCookies([{ name: preferencesCookie, value, url: server.origin }])
    for (const [service, count] of Object.entries({ dense: 100, early: 1 })) {
      await page.goto(server.origin + paths.activities({ q: `service:${service}`, range: { span: '7d' } }))
      const times = page.locator('.events tbody td:first-child')
      await expect(times).toHaveCount(count)
      const cut = await times.evaluateAll(
        cells => cells.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length,
      )
      expect(cut, `${service}, ${clock}`).toBe(0)
    }
  }
})

test('on a phone, the first row is in the upper half, and one menu contains all tools', async ({
  openPage,
}) => {
  const page = await openPage(phone)
  await page.goto(server.origin + dense)
  await hydrated(page)
  const first = await page.locator('.events tbody tr').first().boundingBox()
  expect(first?.y).toBeLessThanOrEqual(370)
  const chips = page.getByRole('navigation', { name: 'Severity' })
  expect((await chips.boundingBox())?.height).toBeLessThan(60)
  await expect(page.getByText('Export', { exact: true })).toBeHidden()
  await page.getByRole('button', { name: 'More' }).tap()
  await page.getByText('Export', { exact: true }).tap()
  await expect(page.getByRole('link', { name: 'CSV' })).toBeVisible()
})

test('columns without a value are hidden, and the header and the values after a number column are aligned', async ({
  openPage,
}) => {
  const page = await openPage({ ...desktop, javaScriptEnabled: false })
  await page.goto(server.origin + paths.activities({ q: 'service:plain', range: { span: '1h' } }))
  await expect(page.getByRole('columnheader')).toHaveText(['Time', 'Severity', 'Service', 'Message'])

  await page.goto(
    server.origin + paths.activities({ q: 'service:dense', columns: 'message,duration,release,service' }),
  )
  const left = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate(cell => {
        const range = document.createRange()
        range.selectNodeContents(cell)
        return Math.round(range.getBoundingClientRect().left)
      })
  expect(await left('.events th:nth-child(4)')).toBe(await left('.events td:nth-child(4)'))
})

test('the end of the log is at most 60 tab stops away, and the log itself is one tab stop', async ({
  openPage,
}) => {
  const page = await openPage(desktop)
  await page.goto(server.origin + dense)
  await hydrated(page)
  const focused = () =>
    page.evaluate(() => {
      const { activeElement } = document
      return {
        isRow: activeElement?.closest('.events tbody tr') !== null,
        name: activeElement?.textContent ?? '',
      }
    })
  let rows = 0
  let stops = 0
  do {
    await page.keyboard.press('Tab')
    stops += 1
    if ((await focused()).isRow) {
      rows += 1
      await page.keyboard.press('ArrowDown')
      expect((await focused()).name).toContain('dense 1:')
    }
  } while ((await focused()).name !== 'Older' && stops <= 60)
  expect(stops).toBeLessThanOrEqual(60)
  expect(rows).toBe(1)
  await page.keyboard.press('Shift+Tab')
  expect((await focused()).name, 'the row that had the focus').toContain('dense 1:')
})
