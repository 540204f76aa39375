import type { Page } from 'playwright-core'

/** Presses Tab until an element of this name has the focus; gives what it passed. */
export async function tabTo(page: Page, name: string | RegExp): Promise<string[]> {
  const passed: string[] = []
  for (let left = 200; left > 0; left -= 1) {
    await page.keyboard.press('Tab')
    const stop = (await focused(page)) ?? ''
    if (typeof name === 'string' ? stop.includes(name) : name.test(stop)) {
      if (!(await isFocusVisible(page))) throw new Error(`The focus on ${stop} is not to be seen`)
      return passed
    }
    passed.push(stop)
  }
  throw new Error(`${name} was not among ${passed.join(' · ')}`)
}

/** What has the focus, in its own words; `null` where it is the document itself. */
export function focused(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return null
    const name = element.getAttribute('aria-label') ?? element.textContent
    // A part that scrolls has the focus too, and all of its text.
    return element.matches('a, summary, button') && name
      ? name
      : `<${element.localName} ${element.className}>`
  })
}

/** Whether what has the focus lies in view, and looks other than without it. */
export function isFocusVisible(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement || element instanceof SVGElement)) return false
    const { top, bottom, left, right } = element.getBoundingClientRect()
    if (bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth) return false
    // A box may wear the ring for what it holds, and a label for its hidden control.
    const wearers = [element, element.parentElement, element.nextElementSibling]
    return wearers.some(wearer => {
      if (wearer === null) return false
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(wearer)
      return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) || boxShadow !== 'none'
    })
  })
}
