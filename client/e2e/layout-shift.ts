import type { Page } from '@playwright/test'

/**
 * A twentieth of the limit for a good Cumulative Layout Shift (https://web.dev/articles/cls). Not 0, because on a busy
 * machine, the toolbar of the log shifts by up to 0.0016 in about one of thirty loads. The cause is unknown.
 */
export const maxLayoutShift = 0.005

export type LayoutShift = { value: number; elements: string[] }

/** Records the layout shifts of pages opened after this call. */
export async function recordLayoutShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const found: LayoutShift[] = []
    Object.assign(window, { layoutShifts: found })
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

/** Returns the recorded layout shifts, like `layoutShiftsSoFar`, but first waits until fonts are loaded. */
export async function layoutShifts(page: Page): Promise<LayoutShift[]> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  return layoutShiftsSoFar(page)
}

/** Waits until the browser is idle and changes are painted. Returns the layout shifts recorded until then. */
export function layoutShiftsSoFar(page: Page): Promise<LayoutShift[]> {
  return page.evaluate(async () => {
    await new Promise(resolve => requestIdleCallback(resolve))
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    return Reflect.get(window, 'layoutShifts')
  })
}
