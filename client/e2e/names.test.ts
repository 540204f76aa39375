import { expect, hydrated, test } from './fixtures.ts'
import { named, treeOf } from './names.ts'

test('states, counts and charts have text alternatives', async ({ openPage, shop }) => {
  const page = await openPage()
  await page.goto(shop.origin)
  await hydrated(page)
  expect(named(await treeOf(page), 'heading')[0]).toMatch(/^\d of \d services are failing: /)
  const row = page.getByRole('row', { name: /^shop/ })
  expect(await row.ariaSnapshot()).toMatch(/cell "Failing"/)

  await page.goto(`${shop.origin}/activities?q=severity:error`)
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
