import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/**
 * What axe finds wrong with the page: the rule and the HTML of each element.
 * @param rules to check; the default ones if left out
 */
export async function axeViolations(page: Page, ...rules: string[]): Promise<string[]> {
  // The pages have no frames: the legacy mode does the same without a second page.
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await (rules.length === 0 ? builder : builder.withRules(rules)).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html}`))
}
