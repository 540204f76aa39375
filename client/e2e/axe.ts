import type { Page } from '@playwright/test'
import axe from 'axe-core'

type Options = {
  /** The rules to check; default: axe's defaults. */
  rules?: string[]
  /** A selector of the part to check; default: the whole page. */
  within?: string
}

declare global {
  interface Window {
    axe: { run(context: axe.ContextObject, options: axe.RunOptions): Promise<axe.AxeResults> }
  }
}

/** The default rules that depend on colours. */
const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * Returns the violations in the light theme, and those in the dark theme, which changes only colours. The page stays in the
 * dark theme.
 */
export async function axeViolationsInBothThemes(page: Page, options: Options = {}): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await axeViolations(page, options)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await axeViolations(page, { rules: colourRules, ...options })
  return [...light.map(each => `light: ${each}`), ...dark.map(each => `dark: ${each}`)]
}

/** Returns the accessibility violations that axe finds: the rule and the HTML of each element. */
export async function axeViolations(page: Page, { rules, within }: Options = {}): Promise<string[]> {
  // Each document loads axe once, because loading it takes as long as running many of its rules.
  await page.evaluate(`if (!('axe' in window)) { ${axe.source} }`)
  const options = {
    resultTypes: ['violations'],
    // Describing each checked element with a selector is slow, and the results below contain its HTML.
    selectors: false,
    // Only rules for media files need preloading, and the pages contain no media files.
    preload: false,
    ...(rules === undefined ? {} : { runOnly: rules }),
  } satisfies axe.RunOptions
  const context = {
    // Most rows of a full log differ only in their text, and computing the contrast of each row is slow.
    exclude: ['.events tbody tr:nth-child(n + 31)'],
    ...(within === undefined ? {} : { include: [within] }),
  } satisfies axe.ContextObject
  return page.evaluate(
    async ({ context, options }) => {
      const { violations } = await window.axe.run(context, options)
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
    },
    { context, options },
  )
}
