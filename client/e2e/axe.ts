import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe finds wrong with the page as it stands: the rule and the HTML of each place.
 * @param rules those that are looked at; the usual ones where left out
 */
export async function axeViolations(page: Page, ...rules: string[]): Promise<string[]> {
  // Through the debugger's own channel: the page's policy allows no foreign script.
  await page.evaluate(axe)
  const options = rules.length === 0 ? {} : { runOnly: rules }
  const results = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`)
  return results.violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html}`))
}
