import type { Page } from '@playwright/test'
import { PNG } from 'pngjs'
import type { StartedServer } from '../../scripts/test/server.ts'
import { defaultPreferences, preferencesCookie, serializePreferences } from '../../shared/preferences.ts'
import { screenIds, screens } from '../../shared/screens.ts'
import { checkoutDigest } from './events.ts'
import { expect, hydrated, test } from './fixtures.ts'
import { screenPaths } from './screen-paths.ts'
import { traceId } from './trace.ts'

test.describe.configure({ mode: 'parallel' })

const viewsOf = (shop: StartedServer, empty: StartedServer) => [
  ...screenPaths.map(path => shop.origin + path),
  ...screenIds.map(id => empty.origin + screens[id].path),
  `${shop.origin}/development?digest=${checkoutDigest}`,
  `${shop.origin}/activities?q=trace:${traceId}`,
  `${shop.origin}/activities?q=status:(`,
]

/**
 * A twentieth of a good Cumulative Layout Shift (https://web.dev/articles/cls). Not 0, because a browser on a busy machine
 * may paint a right-aligned bar before it has parsed all its buttons, and the bar then shifts.
 */
const maxShift = 0.005

for (const width of [360, 1280]) {
  test(`no layout shift, ${width} px`, async ({ openPage, shop, emptyServer }) => {
    const page = await openPage({ viewport: { width, height: 800 } })
    await recordShifts(page)
    for (const view of viewsOf(shop, emptyServer)) {
      await page.goto(view)
      await hydrated(page)
      await settled(page)
      const found = await shifts(page)
      const sum = found.reduce((sum, { value }) => sum + value, 0)
      expect(sum, `${view.replace(/^.*:\d+/, '')}: ${JSON.stringify(found)}`).toBeLessThan(maxShift)
    }
  })
}

test('the test detects layout shifts', async ({ openPage, shop }) => {
  const page = await openPage()
  await recordShifts(page)
  await page.goto(shop.origin)
  await hydrated(page)
  await settled(page)
  await page.evaluate(() => {
    const late = document.createElement('div')
    late.append(document.createElement('hr'), 'late', document.createElement('hr'))
    document.querySelector('main')?.prepend(late)
  })
  await settled(page)
  expect((await shifts(page)).length > 0).toBeTruthy()
})

for (const [theme, colorScheme, isLight] of [
  ['dark', 'light', false],
  ['light', 'dark', true],
  ['system', 'dark', false],
  ['system', 'light', true],
] as const) {
  test(`theme ${theme} applies from the first paint, system ${colorScheme}`, async ({ openPage, shop }) => {
    const value = serializePreferences({ ...defaultPreferences, theme })
    const cookie = { name: preferencesCookie, value, url: shop.origin }

    // Without JavaScript, only the HTML and the style sheet set the theme, and nothing is painted before the style sheet.
    const scriptless = await openPage({ colorScheme, javaScriptEnabled: false })
    await scriptless.context().addCookies([cookie])
    const page = await openPage({ colorScheme })
    await page.context().addCookies([cookie])
    await page.addInitScript(() => {
      const changes: string[] = []
      Object.assign(window, { changes })
      new MutationObserver(records => {
        // Components shown in both themes set the attribute themselves.
        const ofPage = records.filter(({ target }) => target === document.documentElement)
        changes.push(...ofPage.map(({ oldValue }) => String(oldValue)))
      }).observe(document, { subtree: true, attributeFilter: ['data-theme'], attributeOldValue: true })
    })
    // The head, which determines the theme, is the same on all screens.
    for (const path of [screens.home.path, screens.settings.path]) {
      await scriptless.goto(shop.origin + path)
      expect(await isLightTheme(scriptless), `${path} without JavaScript`).toBe(isLight)
      await page.goto(shop.origin + path)
      await hydrated(page)
      expect(await isLightTheme(page), path).toBe(isLight)
      expect(
        await page.evaluate(() => Reflect.get(window, 'changes')),
        `${path}: no script changes the theme`,
      ).toEqual([])
    }
  })
}

/** Checks the lower left corner, which is empty on every screen. */
async function isLightTheme(page: Page): Promise<boolean> {
  const { height } = page.viewportSize() ?? { height: 0 }
  const picture = await page.screenshot({ clip: { x: 2, y: height - 3, width: 1, height: 1 } })
  const [red = 0] = PNG.sync.read(picture).data
  return red > 127
}

async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const found: { value: number; elements: string[] }[] = []
    Object.assign(window, { shifts: found })
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) {
        const sources: unknown = Reflect.get(entry, 'sources')
        const nodes = Array.isArray(sources) ? sources.map(({ node }) => node) : []
        const elements = nodes.map(node =>
          node instanceof Element ? node.outerHTML.slice(0, 120) : String(node),
        )
        found.push({ value: Number(Reflect.get(entry, 'value')), elements })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

function shifts(page: Page): Promise<{ value: number; elements: string[] }[]> {
  return page.evaluate(() => Reflect.get(window, 'shifts'))
}

/** Resolves when the fonts are loaded, the browser is idle and changes are painted. */
function settled(page: Page): Promise<void> {
  return page.evaluate(async () => {
    await document.fonts.ready
    await new Promise(resolve => requestIdleCallback(resolve))
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })
}
