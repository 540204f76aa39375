import { paths } from '../../shared/paths.ts'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'

const server = serverForFile()
const lines = (service: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ name: service, msg: `line ${from + index} of it` }))

test('after a burst of events, the newest events are visible, but not all rows are rendered', async ({
  openPage,
}) => {
  const page = await openPage()
  await page.goto(server.origin + paths.activities({ q: 'service:busy', range: { span: '1h' } }))
  await hydrated(page)
  await page.getByRole('button', { name: 'Live' }).click()
  await page.locator('[data-connection=open]').waitFor()
  await server.send(...lines('busy', 1, 3))
  await page.getByRole('link', { name: 'line 3 of it' }).waitFor()
  await server.send(...lines('busy', 4, 1560))
  await page.getByRole('link', { name: 'line 1560 of it' }).waitFor()
  const rows = page.getByRole('row')
  expect((await rows.count()) < 300, 'only rows near the viewport are rendered').toBeTruthy()
  await expect(async () => {
    // The rate covers only five seconds.
    await server.send(...lines('busy', 1561, 1900))
    const timeout = 2_000
    await expect(page.locator('[data-connection=open]'), 'shows a rate').toContainText(/Live · [\d,]+\/s/, {
      timeout,
    })
    await expect(rows, 'few rows are rendered if events arrive too fast to read').toHaveCount(41, { timeout })
  }).toPass()
})

test('live events appear at the top, and neither they nor the first error move the columns', async ({
  openPage,
}) => {
  await server.send(...lines('still', 1, 2))
  const page = await openPage()
  await page.goto(server.origin + paths.activities({ q: 'service:still', range: { span: '1h' } }))
  await hydrated(page)
  const service = page.getByRole('columnheader', { name: 'Service' })
  const before = await service.boundingBox()
  await page.getByRole('button', { name: 'Live' }).click()
  await page.locator('[data-connection=open]').waitFor()
  expect(await service.boundingBox()).toEqual(before)
  await server.send({ name: 'still', level: 50, msg: 'an error' })
  await page.getByRole('link', { name: 'an error' }).waitFor()
  await expect(page.getByRole('row').nth(1)).toContainText('an error')
  expect(await service.boundingBox()).toEqual(before)
})

test('live updates pause while the log is scrolled down, and a key jumps to the latest event', async ({
  openPage,
}) => {
  await server.send(...lines('calm', 1, 90))
  const page = await openPage()
  await page.goto(server.origin + paths.activities({ q: 'service:calm', range: { span: '1h' } }))
  await hydrated(page)
  await page.getByRole('button', { name: 'Live' }).click()
  await page.locator('[data-connection=open]').waitFor()
  const read = page.getByRole('link', { name: 'line 20 of it' })
  // Unlike scrolling with the mouse wheel, this is not animated, so the row does not move afterwards.
  await read.scrollIntoViewIfNeeded()
  const topOf = async () => Math.round((await read.boundingBox())?.y ?? 0)
  await page.waitForFunction(() => scrollY > 300)
  const before = await topOf()
  await server.send(...lines('calm', 91, 95))
  await page.getByRole('button', { name: 'Paused · 5 new events' }).waitFor()
  expect(await topOf()).toBe(before)
  await page.keyboard.press('l')
  await page.getByRole('link', { name: 'line 95 of it' }).waitFor()
  await page.waitForFunction(() => scrollY < 300)
  await expect(page.getByRole('button', { name: /Paused/ })).toHaveCount(0)
})

test('live updates resume after a lost connection or a pause, without missing events', async ({
  openPage,
}) => {
  const page = await openPage()
  page.expectConsoleMessage('ERR_')
  page.expectConsoleMessage('status of 502')
  await page.goto(server.origin + paths.activities({ q: 'service:away', range: { span: '1h' } }))
  await hydrated(page)
  await page.getByRole('button', { name: 'Live' }).click()
  await page.locator('[data-connection=open]').waitFor()
  await page.context().setOffline(true)
  await server.send(...lines('away', 1, 2))
  await page.context().setOffline(false)
  await page.getByRole('link', { name: 'line 2 of it' }).waitFor()

  // A message contains at most 500 events.
  for (const last of [302, 602]) {
    await server.send(...lines('away', last - 299, last))
    await page.getByRole('link', { name: `line ${last} of it` }).waitFor()
  }
  const [pause, live] = [
    page.getByRole('button', { name: 'Pause' }),
    page.getByRole('button', { name: 'Live' }),
  ]
  await pause.click()
  await page.route(
    url => url.pathname === paths.live(),
    route => route.fulfill({ status: 502 }),
    { times: 1 },
  )
  await live.click()
  await expect(page.getByRole('status').getByText('Live stream disconnected.')).toBeVisible()
  await pause.click()
  await live.click()
  // Does not wait for the connection, because events that arrive before it is open must not be missing either.
  await server.send(...lines('away', 603, 603))
  await page.getByRole('link', { name: 'line 603 of it' }).waitFor()
  await expect(page.locator('.activities-bar')).toContainText('603 events')
  await expect(page.getByText('not loaded')).toHaveCount(0)

  // Each event has its own time, because the gap is loaded by time.
  const startMs = Date.now()
  await server.send(...lines('away', 604, 1200).map((line, index) => ({ ...line, time: startMs + index })))
  await page.getByRole('link', { name: 'line 1200 of it' }).waitFor()
  await pause.click()
  const load = page.getByRole('button', { name: 'Load' })
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(load).toBeVisible({ timeout: 500 })
  }).toPass()
  await page.route(
    url => url.searchParams.has('from'),
    route => route.abort('connectionrefused'),
    { times: 1 },
  )
  const announcer = page.locator('#announcer')
  await load.press('Enter')
  await expect(announcer).toHaveText('Couldn’t load. Retry')
  await expect(page.getByRole('button', { name: 'Couldn’t load. Retry' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(announcer).toHaveText('97 events loaded')
  await expect(page.getByRole('link', { name: 'line 701 of it' }), 'the row above').toBeFocused()
  await expect(page.getByText('not loaded')).toHaveCount(0)
})

test('events missing from a batch with past timestamps can be loaded', async ({ openPage }) => {
  const page = await openPage()
  await page.goto(server.origin + paths.activities({ q: 'service:late', range: { span: '1h' } }))
  await hydrated(page)
  await page.getByRole('button', { name: 'Live' }).click()
  await page.locator('[data-connection=open]').waitFor()
  await server.send(...lines('late', 1, 3))
  await page.getByRole('link', { name: 'line 3 of it' }).waitFor()
  const startMs = Date.now() - 600_000
  await server.send(...lines('late', 4, 553).map((line, index) => ({ ...line, time: startMs + index })))
  await page.getByRole('link', { name: 'line 553 of it' }).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  const load = page.getByRole('button', { name: 'Load' })
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(load).toBeVisible({ timeout: 500 })
  }).toPass()
  await load.press('Enter')
  await expect(page.locator('#announcer')).toHaveText('50 events loaded')
  await expect(page.getByText('not loaded')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'line 4 of it' })).toBeVisible()
})

test('the counts, the histogram and the filters follow the live events', async ({ openPage }) => {
  await server.send(...lines('followed-1', 1, 3))
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  await page.clock.install()
  await page.goto(server.origin + paths.activities({ q: 'service:followed-*', range: { span: '1h' } }))
  await hydrated(page)
  await page.getByRole('button', { name: 'Live' }).click()
  await page.locator('[data-connection=open]').waitFor()
  const histogram = page.getByRole('img', { name: /^Events by severity/ })
  await expect(histogram).toHaveAttribute('aria-label', /info: highest 3 /)
  await page.getByRole('group', { name: /^Events by severity/ }).focus()
  await page.getByRole('link', { name: 'line 2 of it' }).focus()

  await server.send(...lines('followed-2', 1, 60))
  await page.getByRole('button', { name: 'Paused · 60 new events' }).waitFor()
  await expect(page.locator('.activities-bar'), 'the total includes hidden events').toContainText('63 events')
  await page.clock.fastForward(5_000)
  await expect(histogram).toHaveAttribute('aria-label', /info: highest (?:60|63) /)
  await expect(page.getByRole('link', { name: /^info 63/ })).toBeVisible()
  await expect(page.locator('.facets').getByText('followed-2')).toBeVisible()
  await expect(page.getByRole('link', { name: 'line 2 of it' }), 'the row keeps the focus').toBeFocused()
  await expect(page.locator('.activities-bar')).toContainText('63 events')

  await page.keyboard.press('l')
  await page.getByRole('link', { name: 'line 60 of it' }).waitFor()
  const rows = await page.locator('.events tbody tr[id]').count()
  await expect(page.locator('.activities-bar')).toContainText(
    rows === 63 ? '63 events' : `Newest ${rows} of 63`,
  )

  // If a refresh moved the focus to the histogram, no later refresh would follow.
  for (const total of [64, 65]) {
    await server.send(...lines('followed-3', total, total))
    await page.getByRole('link', { name: `line ${total} of it` }).waitFor()
    await page.clock.fastForward(5_000)
    await expect(page.getByRole('link', { name: new RegExp(`^info ${total}`) })).toBeVisible()
  }
})

test('when an absolute range ends, live updates end, but the live rows stay', async ({ openPage }) => {
  const page = await openPage()
  const nowMs = Date.now()
  const range = { fromMs: nowMs - 3_600_000, toMs: nowMs + 8_000 }
  await page.goto(server.origin + paths.activities({ q: 'service:ending', range }))
  await hydrated(page)
  await page.getByRole('button', { name: 'Live' }).click()
  await page.locator('[data-connection=open]').waitFor()
  await server.send(...lines('ending', 1, 3))
  await page.getByRole('link', { name: 'line 3 of it' }).waitFor()
  await expect(page.getByRole('button', { name: 'Pause' })).toHaveCount(0, { timeout: 20_000 })
  await expect(page.getByRole('button', { name: 'Live' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'line 3 of it' })).toBeVisible()
  await expect(page.getByText('3 events')).toBeVisible()
})
