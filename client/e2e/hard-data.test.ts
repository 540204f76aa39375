import type { Page } from 'playwright-core'
import t from 'tap'
import type { Contents } from '../../shared/page.ts'
import { paths } from '../../shared/paths.ts'
import { screenIds, screens } from '../../shared/screens.ts'
import { closeBrowser, hydrated, openPage } from './browser.ts'
import { hardDigest, hardMessage, hardTraceId, sendHardEvents } from './hard-events.ts'
import { startServer } from './server.ts'

const server = await startServer()
t.teardown(async () => {
  await closeBrowser()
  await server.stop()
})
await sendHardEvents(server, Date.now())

const order = ['Failing', 'Degraded', 'OK', 'Silent']
const range = { span: '1h' } as const
const columns =
  'severity,service,message,@attribute0,@attribute1,@attribute2,route,status,duration,release,request'
const views = [
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
  t.test(`no page is wider than ${width} px`, async t => {
    const isPhone = width === 360
    const page = await openPage(t, {
      viewport: { width, height: 800 },
      isMobile: isPhone,
      hasTouch: isPhone,
    })
    for (const view of views) {
      await page.goto(server.origin + view)
      await hydrated(page)
      t.same(await stickingOut(page, width), [], view)
      if (isPhone) t.same(await tooSmall(page), [], `${view}: for a thumb`)
    }
  })
}

t.test('with 200 services those that fail come first, and the others are told by their state', async t => {
  const page = await openPage(t)
  await page.goto(server.origin)
  const services = page.getByRole('region', { name: 'Services' })
  const states = await services
    .getByRole('row')
    .getByText(/^(Failing|Degraded|OK|Silent)$/)
    .allTextContents()
  t.ok(states.length < 80, String(states.length))
  t.same(
    states,
    [...states].sort((a, b) => order.indexOf(a) - order.indexOf(b)),
  )
  t.match(states, ['Failing'])
  await services.getByText(/more: .*\d+ fine/).waitFor()
  await services.getByRole('link', { name: /more/ }).click()
  await services.getByRole('row', { name: 'team-2-service-198' }).waitFor()
  await services.getByRole('link', { name: 'Only the worst' }).click()
  await services.getByText(/more: /).waitFor()
})

t.test('each figure of Home leads to the very events that it counts', async t => {
  const page = await openPage(t)
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
    t.ok(count, String(name))
    t.equal((await contentOf(page, 'activities', href ?? '')).total, count, String(name))
  }
})

t.test('a failure that comes in is told of, and shown when it is asked for', async t => {
  const page = await openPage(t)
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
  t.equal(await heading.textContent(), before, 'nothing else has changed')
  await server.send(failed, failed)
  await page.getByRole('link', { name: '3 new failures: show' }).click()
  await page.getByRole('link', { name: 'NewError' }).waitFor()
  t.not(await heading.textContent(), before)
  t.equal(await page.getByRole('link', { name: /new failures?: show/ }).count(), 0)
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
