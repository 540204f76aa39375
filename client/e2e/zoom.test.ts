import type { Page } from '@playwright/test'
import { paths } from '../../shared/paths.ts'
import { covered } from './covered.ts'
import { checkoutDigest } from './events.ts'
import { expect, hydrated, test } from './fixtures.ts'
import { screenPaths } from './screen-paths.ts'
import { traceId } from './trace.ts'

const views = [
  ...screenPaths,
  paths.development({ digest: checkoutDigest }),
  paths.activities({ q: `trace:${traceId}` }),
]

/** The sizes of a 1280 × 1024 pixel window at 200% and 400% (https://www.w3.org/TR/WCAG22/#reflow), in CSS pixels. */
const sizes = [
  { zoom: '200%', width: 640, height: 512 },
  { zoom: '400%', width: 320, height: 256 },
]

test('at 200% and 400% zoom, pages scroll only vertically, and sticky bars cover at most a third of the height', async ({
  openPage,
  shop,
}) => {
  const page = await openPage()
  for (const view of views) {
    await page.goto(shop.origin + view)
    await hydrated(page)
    for (const { zoom, width, height } of sizes) {
      const where = `${view}, ${zoom}`
      await page.setViewportSize({ width, height })
      expect(await page.evaluate(() => document.documentElement.scrollWidth), where).toBeLessThanOrEqual(
        width,
      )
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2))
      expect(await shareOfBars(page), `${where}: height of bars`).toBeLessThanOrEqual(1 / 3)
    }
  }
})

test('in a short window, the content scrolls behind the navigation at the bottom', async ({
  openPage,
  shop,
}) => {
  const page = await openPage({ viewport: { width: 640, height: 400 } })
  await page.goto(shop.origin + paths.activities())
  await hydrated(page)
  await page.evaluate(() => scrollTo(0, 200))
  const links = page.getByRole('navigation', { name: 'Screens' }).getByRole('link')
  await expect(links).not.toHaveCount(0)
  expect(await covered(links)).toEqual([])
})

/** Returns the fraction of the window's height covered by elements that do not scroll with the page. */
function shareOfBars(page: Page): Promise<number> {
  return page.evaluate(() => {
    const isFixed = (element: Element | null): boolean => {
      if (element === null) return false
      const { position, insetBlockStart } = getComputedStyle(element)
      const { top } = element.getBoundingClientRect()
      const isStuck = position === 'sticky' && Math.abs(top - Number.parseFloat(insetBlockStart)) < 1
      return position === 'fixed' || isStuck || isFixed(element.parentElement)
    }
    const heights = Array.from({ length: innerHeight }, (_, y) =>
      document.elementFromPoint(innerWidth / 2, y),
    )
    return heights.filter(isFixed).length / innerHeight
  })
}
