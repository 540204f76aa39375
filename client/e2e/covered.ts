import type { Locator } from '@playwright/test'

/** Returns the text of the elements whose centre is outside the window or covered by another element. */
export function covered(elements: Locator): Promise<(string | null)[]> {
  return elements.evaluateAll(all =>
    all
      .filter(element => {
        const { left, top, width, height } = element.getBoundingClientRect()
        return !element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
      })
      .map(element => element.textContent),
  )
}
