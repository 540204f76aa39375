import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/**
 * Returns the accessibility violations that axe finds: the rule and the HTML of each element.
 * @param options `rules`: the rules to check; default: axe's defaults. `within`: a selector; default: the whole page
 */
export async function axeViolations(
  page: Page,
  { rules = [], within }: { rules?: string[]; within?: string } = {},
): Promise<string[]> {
  // Legacy mode does not open a second page. It cannot check frames, but the pages do not contain any.
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  // Most rows of a full log differ only in their text, and computing the contrast of each row is slow.
  builder.exclude('.events tbody tr:nth-child(n + 31)')
  if (within !== undefined) builder.include(within)
  const { violations } = await (rules.length === 0 ? builder : builder.withRules(rules)).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html}`))
}
