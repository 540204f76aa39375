import type { Locator, Page } from '@playwright/test'
import { paths } from '../../shared/paths.ts'
import { axeViolations } from './axe.ts'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'
import { failingTrace, traceId } from './trace.ts'

const nowMs = Date.now()
const server = serverForFile({}, async server => {
  await server.send(...failingTrace(nowMs))
  // A busy neighbour: a page of the log is too short for the half minute around the trace.
  const busy = (index: number) => ({
    name: 'busy',
    time: nowMs - 75_000 + index * 30,
    level: 30,
    msg: `busy ${index}`,
  })
  await server.send(...Array.from({ length: 1000 }, (_, index) => busy(index)))
  await server.send({
    name: 'old',
    time: nowMs - 20 * 86_400_000,
    level: 30,
    msg: 'long ago',
    traceId: 'ab'.repeat(16),
  })
})
const trace = paths.activities({ q: `trace:${traceId}` })

/** The link of the event that is open. */
const openLink = (within: Page | Locator, name: string) =>
  within.getByRole('link', { name }).and(within.locator('[aria-current=true]'))

for (const javaScriptEnabled of [true, false]) {
  test(`a trace is a table of what happened, with JavaScript ${javaScriptEnabled}`, async ({ openPage }) => {
    const page = await openPage({ javaScriptEnabled })
    await page.goto(server.origin + trace)
    if (javaScriptEnabled) await hydrated(page)
    const waterfall = page.getByRole('region', { name: 'Trace' })
    await waterfall.getByText('9 events of 3 services in 1.42 s').waitFor()
    const rows = waterfall.getByRole('row')
    for (const name of ['After', 'Event', 'Took', 'Timeline']) {
      expect(await waterfall.getByRole('columnheader', { name }).count(), name).toBe(1)
    }
    expect(await rows.nth(1).innerText()).toMatch(/0 ms.*pay.*error.*POST \/charge 502.*620 ms/s)
    expect(await rows.filter({ hasText: 'with nothing logged' }).count(), 'pauses are told of').toBeTruthy()
    await waterfall.getByText('The clock of pay is 180 ms or more behind that of shop').waitFor()

    await waterfall.getByRole('link', { name: 'POST /checkout 500' }).click()
    await page.getByRole('region', { name: 'Open event' }).waitFor()
    await openLink(waterfall, 'POST /checkout 500').waitFor()
    await page.getByRole('link', { name: 'Close the event' }).click()
    await page.getByRole('region', { name: 'Open event' }).waitFor({ state: 'detached' })
  })
}

test('bars stand where they belong', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(server.origin + trace)
  const boxes = await page
    .getByRole('region', { name: 'Trace' })
    .locator('td:last-child svg')
    .evaluateAll(pictures =>
      pictures.map(picture => {
        const frame = picture.getBoundingClientRect()
        return [...picture.children].map(shape => {
          const { left, right } = shape.getBoundingClientRect()
          return { left: (left - frame.left) / frame.width, right: (right - frame.left) / frame.width }
        })
      }),
    )
  for (const { left, right } of boxes.flat())
    expect(left > -0.02 && right < 1.02, `${left} ${right}`).toBeTruthy()
  const [charge] = boxes[0] ?? []
  expect(
    Math.abs((charge?.right ?? 0) - 620 / 1420) < 0.01,
    `the first request takes its share of the whole: ${charge?.right}`,
  ).toBeTruthy()
})

test('an event shows its trace beside it, and leads on to the others', async ({ openPage }) => {
  const page = await openPage()
  await page.goto(server.origin + paths.activities({ q: '"stock is low"' }))
  await hydrated(page)
  await page.getByRole('region', { name: 'Events' }).getByRole('link', { name: 'stock is low' }).click()
  const open = page.getByRole('region', { name: 'Open event' })
  await open.getByRole('region', { name: 'Trace' }).getByRole('link', { name: 'cart loaded' }).click()
  await openLink(open, 'cart loaded').waitFor()
  expect(new URL(page.url()).searchParams.get('q'), 'the search stays').toContain('stock is low')
})

test('in the frame beside the event, its row is in view', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 400, height: 600 } })
  await page.goto(server.origin + paths.activities({ q: '"stock is low"' }))
  await hydrated(page)
  await page.getByRole('region', { name: 'Events' }).getByRole('link', { name: 'stock is low' }).click()
  const trace = page.getByRole('region', { name: 'Trace' })
  const row = await openLink(trace, 'stock is low').boundingBox()
  const frame = await trace.getByRole('group', { name: 'Rows' }).boundingBox()
  const middle = (row?.y ?? 0) + (row?.height ?? 0) / 2 - (frame?.y ?? 0)
  expect(middle > 0 && middle < (frame?.height ?? 0), `${middle} of ${frame?.height}`).toBeTruthy()
})

for (const javaScriptEnabled of [true, false]) {
  test(`around an event the log stands at its row, with JavaScript ${javaScriptEnabled}`, async ({
    openPage,
  }) => {
    const page = await openPage({ javaScriptEnabled })
    await page.goto(server.origin + paths.activities({ q: '"stock is low"' }))
    await page.getByRole('region', { name: 'Events' }).getByRole('link', { name: 'stock is low' }).click()
    await page.getByRole('link', { name: '± 30 s over all services' }).click()
    const row = openLink(page.getByRole('region', { name: 'Events' }), 'stock is low')
    await row.waitFor()
    expect(
      await row.evaluate(link => {
        const { top, bottom } = link.getBoundingClientRect()
        return top > 48 && bottom < innerHeight
      }),
      'in sight',
    ).toBeTruthy()
    await page.getByRole('region', { name: 'Open event' }).waitFor()
    await page.getByRole('region', { name: 'Events' }).getByText('busy').first().waitFor()

    await page.getByRole('link', { name: '± 5 min of stock' }).click()
    await page
      .getByRole('region', { name: 'Events' })
      .getByText('busy')
      .first()
      .waitFor({ state: 'detached' })
    await openLink(page, 'stock is low').first().waitFor()
  })
}

test('a link to one event works without a time, weeks later', async ({ openPage }) => {
  const page = await openPage()
  await page.goto(server.origin + paths.activities({ q: 'service:old', range: { span: '30d' } }))
  await hydrated(page)
  await page.getByRole('link', { name: 'long ago' }).click()
  const link = page.getByRole('link', { name: 'Link to this event' })
  expect(await link.getAttribute('href')).toMatch(/^\/activities\?event=\d+#event$/)
  await link.click()
  await page.waitForURL(url => !url.searchParams.has('q'))
  await page.getByRole('region', { name: 'Open event' }).getByText('long ago').first().waitFor()
  await openLink(page.getByRole('region', { name: 'Events' }), 'long ago').waitFor()
  const alone = page.getByText('This is the only event of its trace')
  await alone.waitFor()
  expect(await page.getByRole('region', { name: 'Trace' }).getByRole('table').count(), 'folded').toBe(0)
  await alone.click()
  await page.getByRole('region', { name: 'Trace' }).getByRole('table').waitFor()
})

test('by keyboard alone: to a row of the trace and into it', async ({ openPage }) => {
  const page = await openPage()
  await page.goto(server.origin + trace)
  await hydrated(page)
  await page.locator('summary', { hasText: 'All of this trace' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.searchParams.has('event'))
  await openLink(page.getByRole('region', { name: 'Trace' }), '').waitFor()
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 1280]) {
    test(`axe finds nothing, ${colorScheme}, ${width} px`, async ({ openPage }) => {
      const page = await openPage({
        colorScheme,
        viewport: { width, height: 800 },
        reducedMotion: 'reduce',
      })
      await page.goto(server.origin + trace)
      await hydrated(page)
      expect(await axeViolations(page)).toEqual([])
      await page.getByRole('region', { name: 'Events' }).getByRole('link', { name: 'stock is low' }).click()
      await openLink(page, 'stock is low').first().waitFor()
      expect(await axeViolations(page), 'with an event open').toEqual([])
      await page.goto(server.origin + paths.activities({ q: '"stock is low"' }))
      await page.getByRole('link', { name: 'stock is low' }).click()
      await page.getByRole('region', { name: 'Trace' }).waitFor()
      expect(await axeViolations(page), 'beside its event').toEqual([])
    })
  }
}
