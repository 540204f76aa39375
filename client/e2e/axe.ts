import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

type Options = {
  /** The rules to check; default: axe's defaults. */
  rules?: string[]
  /** A selector of the part to check; default: the whole page. */
  within?: string
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
export async function axeViolations(page: Page, { rules = [], within }: Options = {}): Promise<string[]> {
  // Legacy mode does not open a second page. It cannot check frames, but the pages do not contain any.
  const builder = new AxeBuilder({ page }).setLegacyMode()
  // Only rules for media files use preloaded files, and the pages do not contain any.
  builder.options({ resultTypes: ['violations'], preload: false })
  // Most rows of a full log differ only in their text, and computing the contrast of each row is slow.
  builder.exclude('.events tbody tr:nth-child(n + 31)')
  if (within !== undefined) builder.include(within)
  const { violations } = await (rules.length === 0 ? builder : builder.withRules(rules)).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html}`))
}
