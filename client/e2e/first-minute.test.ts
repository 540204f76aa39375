import { paths } from '../../shared/paths.ts'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'

const server = serverForFile()

test('without a connected service, every empty screen suggests a next step', async ({ openPage }) => {
  const page = await openPage()
  for (const [path, step] of [
    [paths.home(), /All integrations/],
    [paths.activities({ q: '-source:own' }), /Search a longer time range|Remove .* from the search/],
    [paths.dashboard({ service: 'shop' }), /connect/i],
    [paths.development(), /Send a test event|connect a service/i],
  ] as const) {
    await page.goto(server.origin + path)
    // If this assertion fails, its message contains the text of the page.
    await expect(page.getByRole('main')).toContainText(step)
  }
})

test('Home announces the first event of a service', async ({ openPage }) => {
  const page = await openPage()
  await page.goto(server.origin)
  await hydrated(page)
  await page.getByText('Waiting for the first event').waitFor()
  await server.send({ name: 'shop', msg: 'hello from the shop' })
  await page.getByText('shop is connected: first event received').waitFor()
  await page.getByText('hello from the shop').waitFor()
  await page.getByRole('link', { name: 'View in Activities' }).click()
  await page.getByRole('link', { name: 'hello from the shop' }).waitFor()
})
