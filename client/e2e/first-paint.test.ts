import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { PNG } from 'pngjs'
import { defaultPreferences, preferencesCookie, serializePreferences } from '../../shared/preferences.ts'
import { screens } from '../../shared/screens.ts'
import { expect, hydrated, test } from './fixtures.ts'
import { layoutShifts, layoutShiftsSoFar, recordLayoutShifts } from './layout-shift.ts'

test.describe.configure({ mode: 'parallel' })

test('the theme applies from the first paint', async ({ openPage, shop }) => {
  // Without JavaScript, only the HTML and the style sheet determine the theme, and the style sheet blocks painting.
  const scriptless = await openPage({ javaScriptEnabled: false })
  const page = await openPage()
  await page.addInitScript(() => {
    const changes: string[] = []
    Object.assign(window, { changes })
    new MutationObserver(records => {
      // Components that are shown in both themes set the attribute too.
      const ofPage = records.filter(({ target }) => target === document.documentElement)
      changes.push(...ofPage.map(({ oldValue }) => String(oldValue)))
    }).observe(document, { subtree: true, attributeFilter: ['data-theme'], attributeOldValue: true })
  })
  for (const [theme, colorScheme, isLight] of [
    ['dark', 'light', false],
    ['light', 'dark', true],
    ['system', 'dark', false],
    ['system', 'light', true],
  ] as const) {
    const where = `theme ${theme}, system ${colorScheme}`
    const value = serializePreferences({ ...defaultPreferences, theme })
    for (const each of [scriptless, page]) {
      await each.emulateMedia({ colorScheme })
      await each.context().addCookies([{ name: preferencesCookie, value, url: shop.origin }])
      // All screens have the same head, which determines the theme.
      await each.goto(shop.origin + screens.settings.path)
    }
    expect(await isLightTheme(scriptless), `${where}, without JavaScript`).toBe(isLight)
    await hydrated(page)
    expect(await isLightTheme(page), where).toBe(isLight)
    expect(
      await page.evaluate(() => Reflect.get(window, 'changes')),
      `${where}: no script changes the theme`,
    ).toEqual([])
  }
})

test('the fonts are loaded before the page needs them, and a late font causes no layout shift', async ({
  openPage,
  shop,
}) => {
  const page = await openPage({})
  const late: (() => void)[] = []
  let isLate = true
  await page.route('**/*.woff2', async route => {
    if (isLate) await new Promise<void>(resolve => late.push(resolve))
    await route.continue()
  })
  await recordLayoutShifts(page)
  await page.goto(shop.origin + screens.settings.path, { waitUntil: 'domcontentloaded' })
  await hydrated(page)
  const widthOfName = () =>
    page.locator('.shell-name span').evaluate(name => name.getBoundingClientRect().width)
  const width = await widthOfName()
  const shiftsBefore = await layoutShiftsSoFar(page)
  isLate = false
  for (const answer of late) answer()
  expect(await layoutShifts(page)).toEqual(shiftsBefore)
  expect(await widthOfName(), 'the page does not change its font').toBe(width)
  const preloaded = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLLinkElement>('link[rel=preload][as=font]')].map(({ href }) => href),
  )
  const loaded = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter(name => name.endsWith('.woff2'))
        .sort(),
    )
  await expect.poll(loaded, 'each font is preloaded').toEqual(preloaded.toSorted())
  // A busy browser may take longer to load the cached font than it waits for optional fonts.
  const widthOfNext = async () => {
    await page.reload()
    return widthOfName()
  }
  await expect.poll(widthOfNext, 'a later page shows the font').not.toBe(width)
})

test('a page loads its scripts after the first paint, but immediately in a hidden tab, which is not painted', async ({
  openPage,
  shop,
}) => {
  const open = async (isHidden: boolean) => {
    const page = await openPage({})
    const scripts: string[] = []
    page.on('request', request => {
      if (request.resourceType() === 'script') scripts.push(request.url())
    })
    await page.addInitScript(hidden => {
      Object.defineProperty(document, 'hidden', { value: hidden })
      const native = window.requestAnimationFrame
      const callbacks: FrameRequestCallback[] = []
      window.requestAnimationFrame = callback => callbacks.push(callback)
      const paint = () => {
        window.requestAnimationFrame = native
        for (const callback of callbacks) native(callback)
      }
      Object.assign(window, { paint })
    }, isHidden)
    await page.goto(shop.origin + screens.home.path)
    return { page, scripts }
  }

  const visible = await open(false)
  expect(visible.scripts).toEqual([])
  await visible.page.evaluate(() => Reflect.get(window, 'paint')())
  await hydrated(visible.page)

  const hidden = await open(true)
  await expect.poll(() => hidden.scripts.length).toBeGreaterThan(0)
})

test('a page that arrives in two parts is painted only when it is complete, so nothing shifts', async ({
  openPage,
  shop,
  afterTest,
}) => {
  let completeMs = Number.POSITIVE_INFINITY
  const slowNetwork = createServer(async ({ url = '/' }, response) => {
    const answer = await fetch(shop.origin + url)
    const body = Buffer.from(await answer.arrayBuffer())
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    if (url === screens.home.path) {
      const firstLink = body.indexOf('</li>')
      response.write(body.subarray(0, firstLink))
      // Long enough for the browser to paint the first part.
      await setTimeout(500)
      completeMs = Date.now()
      response.end(body.subarray(firstLink))
    } else response.end(body)
  }).listen(0, '127.0.0.1')
  afterTest(() => slowNetwork.close())
  await once(slowNetwork, 'listening')
  const address = slowNetwork.address()
  const port = typeof address === 'object' ? address?.port : null

  const page = await openPage({ viewport: { width: 360, height: 800 } })
  await recordLayoutShifts(page)
  await page.goto(`http://127.0.0.1:${port}${screens.home.path}`)
  await hydrated(page)
  expect(await layoutShifts(page)).toEqual([])
  const paintedMs = await page.evaluate(() => {
    const [paint] = performance.getEntriesByName('first-paint')
    return performance.timeOrigin + (paint?.startTime ?? 0)
  })
  expect(paintedMs).toBeGreaterThanOrEqual(completeMs)
})

/** Reads the colour of the lower left corner, which is empty on every screen. */
async function isLightTheme(page: Page): Promise<boolean> {
  const { height } = page.viewportSize() ?? { height: 0 }
  const picture = await page.screenshot({ clip: { x: 2, y: height - 3, width: 1, height: 1 } })
  const [red = 0] = PNG.sync.read(picture).data
  return red > 127
}
