import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/**
 * The accessibility violations that axe finds: the rule and the HTML of each element.
 * @param options `rules`: the rules to check, axe's defaults if omitted; `within`: a selector, the whole page if omitted
 */
export async function axeViolations(
  page: Page,
  { rules = [], within }: { rules?: string[]; within?: string } = {},
): Promise<string[]> {
  // The pages have no frames, so the legacy mode is sufficient. It needs no second page.
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  // Most rows of a full log differ only in their text, and computing the contrast of each row is slow.
  builder.exclude('.events tbody tr:nth-child(n + 31)')
  if (within !== undefined) builder.include(within)
  const { violations } = await (rules.length === 0 ? builder : builder.withRules(rules)).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html}`))
}
