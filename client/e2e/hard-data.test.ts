import type { Page } from '@playwright/test'
import { parsePacked } from '../../shared/packed-json.ts'
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

test('no page is wider than a phone or a desktop window, and touch targets on a phone are large enough', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 360, height: 800 }, isMobile: true, hasTouch: true })
  for (const view of await viewsOf()) {
    await page.goto(server.origin + view)
    await hydrated(page)
    expect(await overflowing(page, 360), `${view}, phone`).toEqual([])
    expect(await tooSmall(page), `${view}: touch targets`).toEqual([])
    // The page loads only once, because loading takes much longer than changing the layout.
    const desktop = await asDesktop(page)
    for (const width of [1280, 1920]) {
      await desktop.resize(width)
      expect(await page.evaluate(() => [innerWidth, matchMedia('(pointer: coarse)').matches])).toEqual([
        width,
        false,
      ])
      expect(await overflowing(page, width), `${view}, ${width} px`).toEqual([])
    }
    await desktop.end()
  }
})

test('with 200 services, Home lists failing services first and counts the rest by state', async ({
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
  await services.getByText(/more services? \(.*\d+ healthy/).waitFor()
  await services.getByRole('link', { name: /more/ }).click()
  await services.getByRole('row', { name: 'team-2-service-198' }).waitFor()
  await services.getByRole('link', { name: 'Show fewer' }).click()
  await services.getByText(/more services? \(/).waitFor()
})

test('every number on Home links to exactly the events that it counts', async ({ openPage }) => {
  const page = await openPage()
  const shop = 'team-0-service-014'
  const home = await page.goto(server.origin + paths.home({ range: '24h', services: 'all' }))
  const content = contentIn('home', await home?.text())
  const row = content.services.find(({ service }) => service === shop)
  const links = [
    [new RegExp(`occurrences of failures in ${shop}`), row?.failures],
    [new RegExp(`requests per minute in ${shop}`), Math.round((row?.requestRate ?? 0) * 86_400)],
    [new RegExp(`events in ${shop}`), row?.sparkline.reduce((sum, count) => sum + count, 0)],
    [/times in the last 24 hours/, content.services.reduce((sum, { failures }) => sum + failures, 0)],
    [/Show 120 occurrences in the log/, 120],
    [
      /5xx responses in team-2-service-079/,
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
  const hrefs = await Promise.all(
    links.map(([name]) => page.getByRole('link', { name }).first().getAttribute('href')),
  )
  for (const [index, [name, count]] of links.entries()) {
    expect(count, String(name)).toBeTruthy()
    // Not loaded in the browser, because that would take much longer.
    const log = await (await fetch(server.origin + (hrefs[index] ?? ''))).text()
    expect(contentIn('activities', log).total, String(name)).toBe(count)
  }
})

test('Home shows new failures without a reload', async ({ openPage }) => {
  const page = await openPage()
  await page.clock.install()
  await page.goto(server.origin)
  await hydrated(page)
  const heading = page.getByRole('heading', { level: 1 })
  const before = String(await heading.textContent())
  const failed = {
    name: 'newcomer',
    level: 50,
    msg: 'it broke',
    err: { type: 'NewError', message: 'it broke' },
  }
  await server.send(failed, failed)
  await page.clock.fastForward(30_000)
  await page.getByRole('link', { name: 'NewError' }).waitFor()
  await expect(heading).not.toHaveText(before)
})

/** Replaces the emulated phone by a desktop window with a mouse until `end` is called. */
async function asDesktop(
  page: Page,
): Promise<{ resize(width: number): Promise<unknown>; end(): Promise<void> }> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: false })
  return {
    resize: width =>
      session.send('Emulation.setDeviceMetricsOverride', {
        width,
        height: 800,
        deviceScaleFactor: 1,
        mobile: false,
      }),
    async end() {
      await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
      await session.detach()
      // Emulates a phone again.
      await page.setViewportSize({ width: 360, height: 800 })
    },
  }
}

/** If the page scrolls horizontally, returns the elements that extend to the right end of the scrollable area. */
function overflowing(page: Page, width: number): Promise<string[]> {
  return page.evaluate(width => {
    // Compares with `width`, because in the mobile layout an overflowing element also widens `innerWidth`.
    const scrollWidth = document.scrollingElement?.scrollWidth ?? 0
    if (scrollWidth <= width) return []
    return [...document.querySelectorAll('main *')]
      .filter(element => element.getBoundingClientRect().right >= scrollWidth - 1)
      .map(element => `${element.localName} ${element.className}`)
  }, width)
}

/**
 * Returns targets less than 24 px high, frequently used targets less than 44 px high, and fields with text so small that
 * phones zoom in.
 */
async function tooSmall(page: Page): Promise<string[]> {
  const targets = await page.evaluate(() =>
    [...document.querySelectorAll('a, button, summary, input, select, textarea, .events tbody tr')]
      .filter(element => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .map(element => ({
        words: `${element.parentElement?.className} ${element.localName} ${element.className} ${element.textContent?.slice(0, 30)}`,
        heightPx: Math.round(element.getBoundingClientRect().height),
        fontPx: Number.parseFloat(getComputedStyle(element).fontSize),
        // Inline links are exempt: https://www.w3.org/TR/WCAG22/#target-size-minimum
        isInline: getComputedStyle(element).display === 'inline',
        isFrequent: element.matches('.button, .shell-nav a, .search-field input, tr:not(.events-note)'),
        isField: element.matches('input:not([type=checkbox], [type=radio]), select, textarea'),
        isExempt: element.matches('[type=checkbox], [type=radio], .visually-hidden *, .shell-skip'),
      })),
  )
  return targets
    .filter(
      ({ heightPx, fontPx, isInline, isFrequent, isField, isExempt }) =>
        !isExempt &&
        ((isFrequent && heightPx < 44) || (!isInline && heightPx < 24) || (isField && fontPx < 16)),
    )
    .map(({ words, heightPx, fontPx }) => `${words}: ${heightPx} px high, ${fontPx} px`)
}

/** Returns the content in the hydration data of a page. */
function contentIn<Id extends 'home' | 'activities'>(_id: Id, html = ''): Contents[Id] {
  const [, block = ''] = /<script type="application\/json" id="page">(.*?)<\/script/s.exec(html) ?? []
  return parsePacked(block).content
}

async function idOf(message: string): Promise<number> {
  const answer = await fetch(server.origin + paths.activities({ q: `"${message}"`, range: { span: '1h' } }))
  const [, id] = /event=(\d+)/.exec(await answer.text()) ?? []
  return Number(id)
}
