import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/**
 * The accessibility violations that axe finds: the rule and the HTML of each element.
 * @param rules to check; axe's defaults if omitted
 */
export async function axeViolations(page: Page, ...rules: string[]): Promise<string[]> {
  // The pages have no frames, so the legacy mode suffices and needs no second page.
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  // Most rows of a full log differ only in their text, and computing the contrast of each takes a long time.
  builder.exclude('.events tbody tr:nth-child(n + 31)')
  const { violations } = await (rules.length === 0 ? builder : builder.withRules(rules)).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html}`))
}
