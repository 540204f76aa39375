import type { Page } from 'playwright-core'
import t from 'tap'
import { screenIds, screens } from '../../shared/screens.ts'
import { closeBrowser, hydrated, openPage } from './browser.ts'
import { failingCheckout } from './events.ts'
import { startServer } from './server.ts'
import { failingTrace, traceId } from './trace.ts'

const server = await startServer({ SIXPANE_DRILL: '1' })
t.teardown(async () => {
  await closeBrowser()
  await server.stop()
})

const { events, digest } = failingCheckout(Date.now())
await server.send(...events, ...failingTrace(Date.now()))

const views = [
  ...screenIds.map(id => screens[id].path),
  `/development?digest=${digest}`,
  `/activities?q=trace:${traceId}`,
  '/activities?q=status:(',
  '/nowhere',
]

/** One element as a screen reader meets it. */
type Node = { role: string; name: string; level: number | null }

for (const view of views) {
  t.test(`a screen reader finds its way on ${view}`, async t => {
    const page = await openPage(t)
    if (view === '/nowhere') page.expectComplaint('status of 404')
    await page.goto(server.origin + view)
    await hydrated(page)
    const tree = await treeOf(page)

    for (const role of ['banner', 'main']) t.equal(named(tree, role).length, 1, `one ${role}`)
    t.ok(named(tree, 'navigation').includes('Screens'))
    for (const role of ['navigation', 'region']) {
      const names = named(tree, role)
      t.equal(new Set(names).size, names.length, `each ${role} has a name of its own: ${names}`)
    }

    const levels = tree.flatMap(({ role, level }) => (role === 'heading' && level !== null ? [level] : []))
    t.equal(levels[0], 1, 'the first heading is that of the page')
    t.equal(levels.filter(level => level === 1).length, 1, 'and the only one')
    t.same(
      levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1),
      [],
      `no level is left out: ${levels}`,
    )

    const speaking = [
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
    t.same(
      tree.filter(({ role, name }) => speaking.includes(role) && name === ''),
      [],
      'whatever acts or is a table or a picture has a name',
    )
    t.ok(
      named(tree, 'table').length > 0 || view === '/nowhere' || view.includes('status'),
      'tables are read as such',
    )
  })
}

t.test('what matters is said in words', async t => {
  const page = await openPage(t)
  await page.goto(server.origin)
  await hydrated(page)
  t.match(named(await treeOf(page), 'heading')[0], /^\d of \d services are failing: /)
  const shop = page.getByRole('row', { name: /^shop/ })
  t.match(await shop.ariaSnapshot(), /cell "Failing"/)

  await page.goto(`${server.origin}/activities?q=severity:error`)
  await hydrated(page)
  const tree = await treeOf(page)
  t.match(named(tree, 'link').join('\n'), /^error \d+$/m, 'a severity with its count')
  t.match(named(tree, 'img').join('\n'), /^Events by severity/m, 'a chart by what it shows')
  await page.getByRole('link', { name: /checkout failed/ }).click()
  await page.getByRole('region', { name: 'Open event' }).waitFor()
  const open = named(await treeOf(page), 'link')
  t.ok(open.includes('Only this service'))
  t.ok(open.includes('Close the event'))
})

/** The page as the browser tells it to a screen reader, with what is folded unfolded. */
async function treeOf(page: Page): Promise<Node[]> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details:not([data-menu])'))
      details.setAttribute('open', '')
  })
  const snapshot = await page.locator('body').ariaSnapshot()
  return snapshot.split('\n').flatMap(line => {
    // `- heading "Services" [level=2]`, in quotes where YAML needs them.
    const [, role, name = '', rest = ''] = /^\s*- '?(\w+)(?: "((?:[^"\\]|\\.)*)")?(.*)$/.exec(line) ?? []
    if (role === undefined || role === 'text') return []
    const [, level] = /\[level=(\d)\]/.exec(rest) ?? []
    return [{ role, name, level: level === undefined ? null : Number(level) }]
  })
}

function named(tree: readonly Node[], role: string): string[] {
  return tree.filter(node => node.role === role).map(({ name }) => name)
}
