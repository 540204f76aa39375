import type { Page } from '@playwright/test'

/**
 * Returns the elements with a transition or a timed animation, and the durations. Includes elements that move only while a
 * page loads.
 */
export function movingElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    document.documentElement.dataset.pending = ''
    const found = [...document.querySelectorAll('*')].flatMap(element => {
      const style = getComputedStyle(element)
      const { transitionDuration, animationName, animationDuration } = style
      // An animation with a scroll timeline changes only while the visitor scrolls.
      const isAnimated = animationName !== 'none' && style.getPropertyValue('animation-timeline') === 'auto'
      const isStill = Number.parseFloat(transitionDuration) === 0 && !isAnimated
      return isStill
        ? []
        : [`${element.className}: ${transitionDuration}, ${animationName} ${animationDuration}`]
    })
    delete document.documentElement.dataset.pending
    return found
  })
}
