import { expect, hydrated, serverForFile, test } from './fixtures.ts'

const nowMs = Date.now()
const minuteMs = 60_000

/**
 * Eight services with one request each, and a service with a request per minute for 130 minutes (older requests are
 * slower) and a release 20 minutes ago. A page for an hour compares periods only if the store contains the whole hour before.
 */
const server = serverForFile({}, server =>
  server.send(
    ...Array.from({ length: 8 }, (_, index) => ({
      time: nowMs,
      name: `other-${index}`,
      level: 30,
      msg: 'request completed',
      status: 200,
      durationMs: 5,
    })),
    ...Array.from({ length: 130 }, (_, index) => ({
      time: nowMs - index * minuteMs,
      name: 'shop',
      version: index < 20 ? '1.5.0' : '1.4.0',
      level: 30,
      msg: 'request completed',
      method: 'GET',
      route: '/cart',
      status: index % 30 === 0 ? 500 : 200,
      durationMs: 5 + index * 3,
    })),
  ),
)

test('a heat map cell and a value of a chart open the events behind them', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 1280, height: 1000 } })
  await page.goto(`${server.origin}/dashboard?service=shop`)
  await hydrated(page)
  const map = page.getByRole('group', { name: /^Latency distribution/ })
  await map.focus()
  await page.keyboard.press('ArrowLeft')
  await map.getByText('1 request', { exact: true }).waitFor()
  const before = await map.textContent()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Home')
  expect(await map.textContent(), 'arrow keys move between cells').not.toBe(before)
  await page.keyboard.press('Enter')
  await page.locator('main[data-screen=activities]').waitFor()
  expect(new URL(page.url()).searchParams.get('q')).toMatch(
    /service:shop status:\* duration:>=\d+ duration:<\d+/,
  )
  await expect(page.getByText('request completed')).toHaveCount(1)

  await page.goBack()
  const rate = page.getByRole('group', { name: /^Request rate/ })
  const box = await rate.boundingBox()
  if (box === null) throw new Error('The chart is not shown')
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await page.locator('main[data-screen=activities]').waitFor()
  await expect(page.getByText('request completed')).toHaveCount(1)
})

test('charts have tables and links without JavaScript', async ({ openPage }) => {
  const page = await openPage({ javaScriptEnabled: false, viewport: { width: 1280, height: 1000 } })
  await page.goto(`${server.origin}/dashboard?service=shop`)
  const latency = page.getByRole('region', { name: 'Latency distribution', exact: true })
  await latency.getByRole('link', { name: 'Table' }).click()
  const table = page.getByRole('table', { name: /^Latency distribution/ })
  await table.getByRole('columnheader', { name: '100–150 ms' }).getByRole('link').click()
  await page.locator('main[data-screen=activities]').waitFor()
  await expect(page.getByText('request completed')).toHaveCount(17)
  await page.goBack()
  await table.getByRole('cell').getByRole('link').first().click()
  await page.locator('main[data-screen=activities]').waitFor()
  await expect(page.getByText('request completed')).toHaveCount(1)
  await page.goto(`${server.origin}/dashboard?service=shop`)
  await page.locator('.chart-target a').first().click()
  await page.getByRole('table', { name: /^Error rate/ }).waitFor()
  await page.getByRole('link', { name: 'All charts for shop' }).click()
  await latency.waitFor()
})

test('releases link to their events, and hiding the comparison does not shift the layout', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 1280, height: 1000 } })
  await page.goto(`${server.origin}/dashboard?service=shop`)
  await hydrated(page)
  const releases = page.getByRole('region', { name: 'Releases', exact: true })
  await releases.getByText('1.5.0').waitFor()
  const map = page.getByRole('heading', { name: 'Latency distribution', exact: true })
  const placeBefore = await map.boundingBox()
  await page.getByRole('link', { name: 'Compare in charts' }).click()
  await page.waitForURL(url => url.searchParams.get('compare') === 'off')
  await page.getByText('previous p95', { exact: true }).first().waitFor({ state: 'detached' })
  expect(await map.boundingBox()).toEqual(placeBefore)
  await releases.getByRole('link').click()
  await page.locator('main[data-screen=activities]').waitFor()
  expect(new URL(page.url()).searchParams.get('q')).toBe('service:shop release:1.5.0')
  await expect(page.getByText('request completed')).toHaveCount(20)
})

test('selecting all services clears the service search field', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 1280, height: 1000 } })
  await page.goto(`${server.origin}/dashboard`)
  await hydrated(page)
  const field = page.getByRole('combobox', { name: 'Find a service' })
  const heading = page.getByRole('heading', { level: 1 })
  await field.fill('other-7')
  await field.press('Enter')
  await expect(heading).toHaveText('other-7')
  await field.fill('typed')
  await page.getByRole('link', { name: 'All services' }).click()
  await expect(heading).toHaveText('All services')
  await expect(field).toHaveValue('')
})
