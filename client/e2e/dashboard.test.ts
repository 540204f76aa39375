import t from 'tap'
import { closeBrowser, hydrated, openPage } from './browser.ts'
import { startServer } from './server.ts'

const server = await startServer()
t.teardown(async () => {
  await closeBrowser()
  await server.stop()
})

const nowMs = Date.now()
const minuteMs = 60_000
/** A minute of each hour, with requests that take longer and longer, and a release in between. */
await server.send(
  ...Array.from({ length: 90 }, (_, index) => ({
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
)

t.test('a cell of the heat map leads to as many events as it says', async t => {
  const page = await openPage(t, { viewport: { width: 1280, height: 1000 } })
  await page.goto(`${server.origin}/dashboard?service=shop`)
  await hydrated(page)
  const map = page.getByRole('group', { name: /^Durations of requests/ })
  await map.focus()
  await page.keyboard.press('ArrowLeft')
  const told = map.getByText('requests: 1')
  await told.waitFor()
  const before = await told.textContent()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Home')
  t.not(await told.textContent(), before, 'the arrows move')
  await page.keyboard.press('Enter')
  await page.locator('main[data-screen=activities]').waitFor()
  t.match(new URL(page.url()).searchParams.get('q'), /service:shop status:\* duration:>=\d+ duration:<\d+/)
  t.equal(await page.getByText('request completed').count(), 1)
})

t.test('charts tell under the pointer what they show, all at the same time', async t => {
  const page = await openPage(t, { viewport: { width: 1280, height: 1000 } })
  await page.goto(`${server.origin}/dashboard?service=shop`)
  await hydrated(page)
  const rate = page.getByRole('group', { name: /^Request rate/ })
  const latency = page.getByRole('group', { name: /^Latency/ })
  const box = await rate.boundingBox()
  if (box === null) throw new Error('The chart is not shown')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await rate.getByText('requests: 1/min').waitFor()
  await latency.getByText(/p50: \d+ ms/).waitFor()
  await page.mouse.move(0, 0)
  await rate.getByText('requests: 1/min').waitFor({ state: 'hidden' })
})

t.test('without a script there are the same numbers and links', async t => {
  const page = await openPage(t, { javaScriptEnabled: false, viewport: { width: 1280, height: 1000 } })
  await page.goto(`${server.origin}/dashboard?service=shop`)
  const durations = page.getByRole('region', { name: 'Durations', exact: true })
  await durations.getByText('Table', { exact: true }).click()
  await durations.getByRole('columnheader', { name: '100–150 ms' }).getByRole('link').click()
  await page.locator('main[data-screen=activities]').waitFor()
  t.equal(await page.getByText('request completed').count(), 17)
  await page.goBack()
  await page.locator('.chart-cells a').first().click()
  await page.locator('main[data-screen=activities]').waitFor()
  t.equal(await page.getByText('request completed').count(), 1)
})

t.test('a release that began is listed, and the comparison is put aside without a shift', async t => {
  const page = await openPage(t, { viewport: { width: 1280, height: 1000 } })
  await page.goto(`${server.origin}/dashboard?service=shop`)
  await hydrated(page)
  const releases = page.getByRole('region', { name: 'Releases that began' })
  await releases.getByText('1.5.0').waitFor()
  const map = page.getByRole('heading', { name: 'Durations', exact: true })
  const placeBefore = await map.boundingBox()
  await page.getByRole('link', { name: 'Compare in the charts' }).click()
  await page.waitForURL(url => url.searchParams.get('compare') === 'off')
  await page.getByText('p95 before', { exact: true }).first().waitFor({ state: 'detached' })
  t.same(await map.boundingBox(), placeBefore)
  await releases.getByRole('link').click()
  await page.locator('main[data-screen=activities]').waitFor()
  t.equal(new URL(page.url()).searchParams.get('q'), 'service:shop release:1.5.0')
  t.equal(await page.getByText('request completed').count(), 20)
})
