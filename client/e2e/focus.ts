import type { Page } from '@playwright/test'

/** The focused element's name, focus visibility and position in the content. */
export type Focus = { name: string | null; isFocusVisible: boolean; position: ContentPosition | null }
/**
 * The index of the part of the content (section, table, list) that contains an element, and the element's edges relative to
 * the part, in CSS pixels.
 */
type ContentPosition = { part: number; top: number; bottom: number; left: number }

/** Presses Tab until an element with this name has the focus. Returns the names of the elements visited before it. */
export async function tabTo(page: Page, name: string | RegExp): Promise<string[]> {
  const passed: string[] = []
  for (let left = 200; left > 0; left -= 1) {
    await page.keyboard.press('Tab')
    const { name: stop, isFocusVisible } = await focusOf(page)
    if (stop !== null && (typeof name === 'string' ? stop.includes(name) : name.test(stop))) {
      if (!isFocusVisible) throw new Error(`The focus on ${stop} is not visible`)
      return passed
    }
    passed.push(stop ?? '')
  }
  throw new Error(`${name} is not one of the tab stops: ${passed.join(' · ')}`)
}

export async function isFocusVisible(page: Page): Promise<boolean> {
  return (await focusOf(page)).isFocusVisible
}

function focusOf(page: Page): Promise<Focus> {
  return page.evaluate(readFocus)
}

/** Runs in the page. Contains everything that it calls, because the page cannot call the functions in this file. */
export function readFocus(): Focus {
  const element = document.activeElement
  if (element === null || element === document.body)
    return { name: null, isFocusVisible: false, position: null }
  return { name: nameOf(element), isFocusVisible: isFocusVisible(element), position: positionOf(element) }

  function nameOf(element: Element): string {
    const name = element.getAttribute('aria-label') ?? element.textContent
    // Other elements, such as scrolling containers, could contain a lot of text.
    const isNamed = element.matches('a, summary, button') && name
    return isNamed ? name : `<${element.localName} ${element.className}>`
  }

  function isFocusVisible(element: Element): boolean {
    const { top, bottom, left, right } = element.getBoundingClientRect()
    if (bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth) return false
    // A parent may show its child's focus ring, and a label the focus ring of the hidden control before it.
    const focusRingElements = [element, element.parentElement, element.nextElementSibling]
    return focusRingElements.some(candidate => {
      if (candidate === null) return false
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(candidate)
      return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) || boxShadow !== 'none'
    })
  }

  /** Returns `null` outside the content, because the header and the navigation have a separate reading order. */
  function positionOf(element: Element) {
    const selector = 'main, section, nav, form, article, table, dl, ul'
    const part = element.parentElement?.closest(selector) ?? null
    if (part === null || element.closest('main') === null) return null
    const { top, bottom, left } = element.getBoundingClientRect()
    // Relative to the part, because focusing an element scrolls the page and its scrolling containers.
    const corner = part.getBoundingClientRect()
    return {
      part: [...document.querySelectorAll(selector)].indexOf(part),
      top: top - corner.top,
      bottom: bottom - corner.top,
      left: left - corner.left,
    }
  }
}
