import type { Page } from 'playwright-core'
import { focused, isFocusVisible } from './focus.ts'

/** Where the focus went: in its own words, whether it was to be seen, and where in its part of the page it lay, in CSS pixels. */
export type Stop = { name: string; isSeen: boolean; place: Place | null }
type Place = { part: number; top: number; bottom: number; left: number }

const mostStops = 600

/**
 * Walks through the page by one key, until the focus leaves it.
 * @throws Error where it never does
 */
export async function walk(page: Page, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<Stop[]> {
  const stops: Stop[] = []
  for (let left = mostStops; left > 0; left -= 1) {
    await page.keyboard.press(key)
    const name = await focused(page)
    if (name === null) return stops
    stops.push({ name, isSeen: await isFocusVisible(page), place: await placeOf(page) })
  }
  throw new Error(`After ${mostStops} stops: ${stops.slice(-5).map(({ name }) => name)}`)
}

/**
 * The stops that come before what is read before them: within one part of the content (a section, a table, a list)
 * from top to bottom, and from start to end of a line.
 */
export function outOfOrder(stops: readonly Stop[]): string[] {
  return stops.flatMap(({ name, place }, index) => {
    const before = stops[index - 1]
    if (!place || !before?.place || place.part !== before.place.part) return []
    const isBelow = place.bottom > before.place.bottom
    const isBeside = place.top < before.place.bottom && place.left > before.place.left
    return isBelow || isBeside ? [] : [`${name} after ${before.name}`]
  })
}

/** `null` outside of the content, whose frame has an order of its own. */
function placeOf(page: Page): Promise<Place | null> {
  return page.evaluate(() => {
    const isPart = 'main, section, nav, form, article, table, dl, ul'
    const parts = [...document.querySelectorAll(isPart)]
    const element = document.activeElement
    const part = element?.parentElement?.closest(isPart) ?? null
    if (element === null || part === null || element.closest('main') === null) return null
    const { top, bottom, left } = element.getBoundingClientRect()
    // From the corner of the part: the focus scrolls the page, and frames in it.
    const corner = part.getBoundingClientRect()
    return {
      part: parts.indexOf(part),
      top: top - corner.top,
      bottom: bottom - corner.top,
      left: left - corner.left,
    }
  })
}
