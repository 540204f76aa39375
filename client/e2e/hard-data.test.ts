import type { Page } from '@playwright/test'
import type { Contents } from '../../shared/page.ts'
import { paths } from '../../shared/paths.ts'
import { screenIds, screens } from '../../shared/screens.ts'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'
import { hardDigest, hardMessage, hardTraceId, sendHardEvents } from './hard-events.ts'

const server = serverForFile({}, server => sendHardEvents(server, Date.now()))

const order = ['Failing', 'Degraded', 'OK', 'Silent']
const range = { span: '1h' } as const
const columns =
  'severity,service,message,@attribute0,@attribute1,@attribute2,route,status,duration,release,request'
const viewsOf = async () => [
  ...screenIds.map(id => screens[id].path),
  paths.home({ range: '24h' }),
  paths.activities({ range, event: await idOf(hardMessage) }),
  paths.activities({ range, facet: 'route' }),
  paths.activities({ range, columns }),
  paths.activities({ range, q: `trace:${hardTraceId}` }),
  paths.activities({ q: `status:( ${'x'.repeat(200)}` }),
  paths.development({ digest: hardDigest }),
]

for (const width of [360, 1280, 1920]) {
  test(`no page is wider than ${width} px`, async ({ openPage }) => {
    const isPhone = width === 360
    const page = await openPage({
      viewport: { width, height: 800 },
      isMobile: isPhone,
      hasTouch: isPhone,
    })
    for (const view of await viewsOf()) {
      await page.goto(server.origin + view)
      await hydrated(page)
      expect(await stickingOut(page, width), view).toEqual([])
      if (isPhone) expect(await tooSmall(page), `${view}: for a thumb`).toEqual([])
    }
  })
}

test('with 200 services those that fail come first, and the others are told by their state', async ({
  openPage,
}) => {
  const page = await openPage()
  await page.goto(server.origin)
  const services = page.getByRole('region', { name: 'Services' })
  const states = await services
    .getByRole('row')
    .getByText(/^(Failing|Degraded|OK|Silent)$/)
    .allTextContents()
  expect(states.length < 80, String(states.length)).toBeTruthy()
  expect(states).toEqual([...states].sort((a, b) => order.indexOf(a) - order.indexOf(b)))
  expect(states).toContain('Failing')
  await services.getByText(/more: .*\d+ fine/).waitFor()
  await services.getByRole('link', { name: /more/ }).click()
  await services.getByRole('row', { name: 'team-2-service-198' }).waitFor()
  await services.getByRole('link', { name: 'Only the worst' }).click()
  await services.getByText(/more: /).waitFor()
})

test('each figure of Home leads to the very events that it counts', async ({ openPage }) => {
  const page = await openPage()
  const shop = 'team-0-service-014'
  const content = await contentOf(page, 'home', paths.home({ range: '24h', services: 'all' }))
  const row = content.services.find(({ service }) => service === shop)
  const asked = [
    [new RegExp(`failures of ${shop}`), row?.failures],
    [new RegExp(`requests a minute of ${shop}`), Math.round((row?.requestRate ?? 0) * 86_400)],
    [new RegExp(`events of ${shop}`), row?.sparkline.reduce((sum, count) => sum + count, 0)],
    [/failures in the last 24 hours/, content.services.reduce((sum, { failures }) => sum + failures, 0)],
    [/120 occurrences in the log/, 120],
    [
      /answers of status 5xx of team-2-service-079/,
      Math.round(
        content.services
          .filter(({ service }) => service === 'team-2-service-079')
          .reduce(
            (sum, { errorRatio, requestRate }) => sum + (errorRatio ?? 0) * (requestRate ?? 0) * 86_400,
            0,
          ),
      ),
    ],
  ] as const
  for (const [name, count] of asked) {
    await page.goto(server.origin + paths.home({ range: '24h', services: 'all' }))
    const href = await page.getByRole('link', { name }).first().getAttribute('href')
    expect(count, String(name)).toBeTruthy()
    expect((await contentOf(page, 'activities', href ?? '')).total, String(name)).toBe(count)
  }
})

test('a failure that comes in is told of, and shown when it is asked for', async ({ openPage }) => {
  const page = await openPage()
  await page.goto(server.origin)
  await hydrated(page)
  const heading = page.getByRole('heading', { level: 1 })
  const before = await heading.textContent()
  const failed = {
    name: 'newcomer',
    level: 50,
    msg: 'it broke',
    err: { type: 'NewError', message: 'it broke' },
  }
  await server.send(failed, { name: 'newcomer', level: 30, msg: 'fine again' })
  await page.getByRole('link', { name: '1 new failure: show' }).waitFor()
  expect(await heading.textContent(), 'nothing else has changed').toBe(before)
  await server.send(failed, failed)
  await page.getByRole('link', { name: '3 new failures: show' }).click()
  await page.getByRole('link', { name: 'NewError' }).waitFor()
  expect(await heading.textContent()).not.toBe(before)
  expect(await page.getByRole('link', { name: /new failures?: show/ }).count()).toBe(0)
})

/** What reaches beyond the right edge of a page that scrolls sideways. */
function stickingOut(page: Page, width: number): Promise<string[]> {
  return page.evaluate(width => {
    // A phone lays the page out as wide as what sticks out.
    const scrollWidth = document.scrollingElement?.scrollWidth ?? 0
    if (scrollWidth <= width) return []
    return [...document.querySelectorAll('main *')]
      .filter(element => element.getBoundingClientRect().right >= scrollWidth - 1)
      .map(element => `${element.localName} ${element.className}`)
  }, width)
}

/** What a thumb misses: targets of less than 24 px, the most used of less than 44, fields on which a phone zooms in. */
async function tooSmall(page: Page): Promise<string[]> {
  const targets = await page.evaluate(() =>
    [...document.querySelectorAll('a, button, summary, input, select, textarea, .events tbody tr')]
      .filter(element => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .map(element => ({
        words: `${element.parentElement?.className} ${element.localName} ${element.className} ${element.textContent?.slice(0, 30)}`,
        heightPx: Math.round(element.getBoundingClientRect().height),
        fontPx: Number.parseFloat(getComputedStyle(element).fontSize),
        // A link in a sentence is as high as its line: https://www.w3.org/TR/WCAG22/#target-size-minimum
        isInline: getComputedStyle(element).display === 'inline',
        isMost: element.matches('.button, .shell-nav a, .search-field input, tr:not(.events-note)'),
        isTyped: element.matches('input:not([type=checkbox], [type=radio]), select, textarea'),
        isBox: element.matches('[type=checkbox], [type=radio], .visually-hidden *, .shell-skip'),
      })),
  )
  return targets
    .filter(
      ({ heightPx, fontPx, isInline, isMost, isTyped, isBox }) =>
        !isBox && ((isMost && heightPx < 44) || (!isInline && heightPx < 24) || (isTyped && fontPx < 16)),
    )
    .map(({ words, heightPx, fontPx }) => `${words}: ${heightPx} px high, ${fontPx} px`)
}

/** What a page that is open in the browser was hydrated from. */
async function contentOf<Id extends 'home' | 'activities'>(
  page: Page,
  _id: Id,
  path: string,
): Promise<Contents[Id]> {
  await page.goto(server.origin + path)
  return JSON.parse(await page.locator('#page').evaluate(block => block.textContent ?? '')).content
}

async function idOf(message: string): Promise<number> {
  const answer = await fetch(server.origin + paths.activities({ q: `"${message}"`, range: { span: '1h' } }))
  const [, id] = /event=(\d+)/.exec(await answer.text()) ?? []
  return Number(id)
}
