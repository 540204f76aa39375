import type { Page } from '@playwright/test'
import { checkoutDigest, failingCheckout } from './events.ts'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'
import { screenPaths } from './screen-paths.ts'
import { failingTrace, traceId } from './trace.ts'

const server = serverForFile({ SIXPANE_DRILL: '1' }, server =>
  server.send(...failingCheckout(Date.now()), ...failingTrace(Date.now())),
)

const views = [
  ...screenPaths,
  `/development?digest=${checkoutDigest}`,
  `/activities?q=trace:${traceId}`,
  '/activities?q=status:(',
  '/nowhere',
]

/** One element of the accessibility tree. */
type Node = { role: string; name: string; level: number | null }

test('pages have uniquely named landmarks, ordered headings and accessible names', async ({ openPage }) => {
  const page = await openPage()
  page.expectConsoleMessage('status of 404')
  for (const view of views) {
    await test.step(view, async () => {
      await page.goto(server.origin + view)
      await hydrated(page)
      const tree = await treeOf(page)

      for (const role of ['banner', 'main']) expect(named(tree, role).length, `one ${role}`).toBe(1)
      expect(named(tree, 'navigation').includes('Screens')).toBeTruthy()
      for (const role of ['navigation', 'region']) {
        const names = named(tree, role)
        expect(new Set(names).size, `each ${role} has a unique name: ${names}`).toBe(names.length)
      }

      const levels = tree.flatMap(({ role, level }) => (role === 'heading' && level !== null ? [level] : []))
      expect(levels[0], 'the first heading is an h1').toBe(1)
      expect(levels.filter(level => level === 1).length, 'there is only one h1').toBe(1)
      expect(
        levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1),
        `no heading level is skipped: ${levels}`,
      ).toEqual([])

      const namedRoles = [
        'button',
        'link',
        'textbox',
        'searchbox',
        'combobox',
        'checkbox',
        'radio',
        'table',
        'img',
      ]
      expect(
        tree.filter(({ role, name }) => namedRoles.includes(role) && name === ''),
        'controls, tables and images have names',
      ).toEqual([])
      expect(
        named(tree, 'table').length > 0 || view === '/nowhere' || view.includes('status'),
        'tables have the role table',
      ).toBeTruthy()
    })
  }
})

test('states, counts and charts have text alternatives', async ({ openPage }) => {
  const page = await openPage()
  await page.goto(server.origin)
  await hydrated(page)
  expect(named(await treeOf(page), 'heading')[0]).toMatch(/^\d of \d services are failing: /)
  const shop = page.getByRole('row', { name: /^shop/ })
  expect(await shop.ariaSnapshot()).toMatch(/cell "Failing"/)

  await page.goto(`${server.origin}/activities?q=severity:error`)
  await hydrated(page)
  const tree = await treeOf(page)
  expect(named(tree, 'link').join('\n'), 'a severity with its count').toMatch(/^error \d+$/m)
  expect(named(tree, 'img').join('\n'), 'a chart with its title').toMatch(/^Events by severity/m)
  await page.getByRole('link', { name: /checkout failed/ }).click()
  await page.getByRole('region', { name: 'Open event' }).waitFor()
  const open = named(await treeOf(page), 'link')
  expect(open.includes('Filter by this service')).toBeTruthy()
  expect(open.includes('Close event')).toBeTruthy()
})

/** Returns the accessibility tree, with all `<details>` except menus open. */
async function treeOf(page: Page): Promise<Node[]> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details:not([data-menu])'))
      details.setAttribute('open', '')
  })
  const snapshot = await page.locator('body').ariaSnapshot()
  return snapshot.split('\n').flatMap(line => {
    // A line has the form `- heading "Services" [level=2]`, and is quoted if YAML requires it.
    const [, role, name = '', rest = ''] = /^\s*- '?(\w+)(?: "((?:[^"\\]|\\.)*)")?(.*)$/.exec(line) ?? []
    if (role === undefined || role === 'text') return []
    const [, level] = /\[level=(\d)\]/.exec(rest) ?? []
    return [{ role, name, level: level === undefined ? null : Number(level) }]
  })
}

function named(tree: readonly Node[], role: string): string[] {
  return tree.filter(node => node.role === role).map(({ name }) => name)
}
