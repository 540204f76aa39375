import type { Page } from '@playwright/test'
import { type Focus, focusOf } from './focus.ts'

export type Stop = Focus & { name: string }

const maxStops = 600

/**
 * Presses a key until the focus leaves the page. Returns the elements that had the focus.
 * @throws Error if the focus never leaves the page
 */
export async function walk(page: Page, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<Stop[]> {
  const stops: Stop[] = []
  for (let left = maxStops; left > 0; left -= 1) {
    await page.keyboard.press(key)
    const { name, ...rest } = await focusOf(page)
    if (name === null) return stops
    stops.push({ name, ...rest })
  }
  throw new Error(`After ${maxStops} stops: ${stops.slice(-5).map(({ name }) => name)}`)
}

/**
 * Returns the stops that break the reading order: from top to bottom within each part of the content (section, table, list),
 * and from left to right within a line.
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
