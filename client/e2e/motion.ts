import type { Page } from '@playwright/test'

/**
 * Returns elements with a transition or animation and its duration, including elements that move only while a page loads.
 */
export function movingElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    document.documentElement.dataset.pending = ''
    const found = [...document.querySelectorAll('*')].flatMap(element => {
      const { transitionDuration, animationName, animationDuration } = getComputedStyle(element)
      const isStill = Number.parseFloat(transitionDuration) === 0 && animationName === 'none'
      return isStill
        ? []
        : [`${element.className}: ${transitionDuration}, ${animationName} ${animationDuration}`]
    })
    delete document.documentElement.dataset.pending
    return found
  })
}
