import { expect, type Page } from '@playwright/test'

/** One element of the accessibility tree. */
type Node = { role: string; name: string; level: number | null }

const namedRoles = ['button', 'link', 'textbox', 'searchbox', 'combobox', 'checkbox', 'radio', 'table', 'img']

/** Expects uniquely named landmarks, ordered headings and accessible names. */
export function expectNames(tree: readonly Node[]): void {
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

  expect(
    tree.filter(({ role, name }) => namedRoles.includes(role) && name === ''),
    'controls, tables and images have names',
  ).toEqual([])
}

/** Returns the accessibility tree, with all `<details>` open, except menus, which are closed. */
export async function treeOf(page: Page): Promise<Node[]> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details'))
      details.open = !details.hasAttribute('data-menu')
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

export function named(tree: readonly Node[], role: string): string[] {
  return tree.filter(node => node.role === role).map(({ name }) => name)
}
