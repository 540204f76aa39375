import { paths } from '../../shared/paths.ts'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'

const server = serverForFile()
const lines = (service: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ name: service, msg: `line ${from + index} of it` }))

test('what arrives beyond what is sent at once is told as missing, and put in place', async ({
  openPage,
}) => {
  const page = await openPage()
  await page.goto(server.origin + paths.activities({ q: 'service:busy', range: { span: '1h' } }))
  await hydrated(page)
  await page.getByRole('button', { name: 'Follow' }).click()
  await page.getByText('Following', { exact: true }).waitFor()
  await server.send(...lines('busy', 1, 3))
  await page.getByRole('link', { name: 'line 3 of it' }).waitFor()
  await server.send(...lines('busy', 4, 1560))
  // The newest are there, whatever was left out below them.
  await page.getByRole('link', { name: 'line 1560 of it' }).waitFor()
  const rows = page.getByRole('row')
  expect((await rows.count()) < 300, 'no more rows are drawn than are looked at').toBeTruthy()
})

test('a reader is left in peace, sees what waits, and is brought back by a key', async ({ openPage }) => {
  await server.send(...lines('calm', 1, 90))
  const page = await openPage()
  await page.goto(server.origin + paths.activities({ q: 'service:calm', range: { span: '1h' } }))
  await hydrated(page)
  await page.getByRole('button', { name: 'Follow' }).click()
  await page.getByText('Following', { exact: true }).waitFor()
  const read = page.getByRole('link', { name: 'line 20 of it' })
  await read.scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 300)
  const placeOf = async () => Math.round((await read.boundingBox())?.y ?? 0)
  await page.waitForFunction(() => scrollY > 300)
  const before = await placeOf()
  await server.send(...lines('calm', 91, 95))
  await page.getByRole('button', { name: 'Paused while you read: 5 new' }).waitFor()
  expect(await placeOf()).toBe(before)
  await page.keyboard.press('l')
  await page.getByRole('link', { name: 'line 95 of it' }).waitFor()
  await page.waitForFunction(() => scrollY < 300)
})

test('after the server was away the log goes on where it was', async ({ openPage }) => {
  const { PORT } = { PORT: new URL(server.origin).port }
  expect(Number(PORT) > 0).toBeTruthy()
  const page = await openPage()
  page.expectComplaint('ERR_')
  await page.goto(server.origin + paths.activities({ q: 'service:away', range: { span: '1h' } }))
  await hydrated(page)
  await page.getByRole('button', { name: 'Follow' }).click()
  await page.getByText('Following', { exact: true }).waitFor()
  await page.context().setOffline(true)
  await server.send(...lines('away', 1, 2))
  await page.context().setOffline(false)
  await page.getByRole('link', { name: 'line 2 of it' }).waitFor()
})
