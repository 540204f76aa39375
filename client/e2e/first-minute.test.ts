import { paths } from '../../shared/paths.ts'
import { hydrated, serverForFile, test } from './fixtures.ts'

const server = serverForFile()

test('with nothing connected every screen says what it would show and the next step', async ({
  openPage,
}) => {
  const page = await openPage()
  for (const [path, step] of [
    [paths.home(), /All ways to connect/],
    [paths.activities({ q: '-source:own' }), /Look at a longer time|Search without/],
    [paths.dashboard({ service: 'shop' }), /connect/i],
    [paths.development(), /Send a test event|connect a service/i],
  ] as const) {
    await page.goto(server.origin + path)
    await page.getByRole('main').getByText(step).first().waitFor()
  }
})

test('the first event of a service is seen arriving', async ({ openPage }) => {
  const page = await openPage()
  await page.goto(server.origin)
  await hydrated(page)
  await page.getByText('Waiting for the first event').waitFor()
  await server.send({ name: 'shop', msg: 'hello from the shop' })
  await page.getByText('shop is connected: its first event has arrived.').waitFor()
  await page.getByText('hello from the shop').waitFor()
  await page.getByRole('link', { name: 'See it in the log' }).click()
  await page.getByRole('link', { name: 'hello from the shop' }).waitFor()
})
