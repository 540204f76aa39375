import t from 'tap'
import { closeBrowser, hydrated, openPage } from './browser.ts'
import { startServer } from './server.ts'

const server = await startServer()
t.teardown(async () => {
  await closeBrowser()
  await server.stop()
})

const line = (msg: string) => ({ level: 30, time: Date.now(), name: 'follow-me', msg })
await server.send(...Array.from({ length: 120 }, (_, index) => line(`early ${index}`)))
const log = `${server.origin}/activities?q=service:follow-me`

t.test('following never moves what is being read, and tells what waits', async t => {
  const page = await openPage(t, { viewport: { width: 1280, height: 800 } })
  await page.goto(log)
  await hydrated(page)
  await page.keyboard.press('l')
  await page.getByText('Following', { exact: true }).waitFor()
  await server.send(line('fresh one'))
  await page.getByText('fresh one').waitFor()
  t.match(await page.getByRole('row').nth(1).innerText(), 'fresh one', 'on top')

  await page.evaluate(() => scrollTo(0, 1500))
  await server.send(line('fresh two'), line('fresh three'))
  await page.getByRole('button', { name: 'Paused while you read: 2 new' }).waitFor()
  t.equal(await page.evaluate(() => scrollY), 1500)
  await page.keyboard.press('l')
  await page.getByText('fresh three').waitFor()
  t.equal(await page.getByRole('button', { name: /Paused/ }).count(), 0)
})

t.test('by keyboard alone: to a row, into the event, and back to the row', async t => {
  const page = await openPage(t, { viewport: { width: 1280, height: 800 } })
  await page.goto(log)
  await hydrated(page)
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  await page.keyboard.press('j')
  const first = await focused()
  await page.keyboard.press('j')
  t.not(await focused(), first)
  await page.keyboard.press('k')
  t.equal(await focused(), first)
  await page.keyboard.press('Enter')
  await page.getByRole('article', { name: 'Event' }).getByText(String(first)).waitFor()
  await page.waitForFunction(() => document.querySelector('#event')?.contains(document.activeElement))
  await page.goBack()
  await page.getByRole('article', { name: 'Event' }).waitFor({ state: 'detached' })
  await page.keyboard.press('j')
  t.ok(await focused(), 'the rows take the keys again')
})

t.test('an event far down opens beside the log, which stays where it is', async t => {
  const page = await openPage(t, { viewport: { width: 1280, height: 800 } })
  await page.goto(log)
  await hydrated(page)
  const row = page.getByRole('link', { name: 'early 50', exact: true })
  await row.scrollIntoViewIfNeeded()
  const top = async () => Math.round((await row.boundingBox())?.y ?? 0)
  const before = await top()
  await row.click()
  await page.getByRole('article', { name: 'Event' }).getByText('early 50').waitFor()
  t.ok(Math.abs((await top()) - before) <= 32, 'its row is where it was')
  await page.getByRole('link', { name: 'Close the event' }).click()
  await page.getByRole('article', { name: 'Event' }).waitFor({ state: 'detached' })
  t.ok(Math.abs((await top()) - before) <= 32)
})

t.test('from the older page back to the newest, which can be followed again', async t => {
  const page = await openPage(t)
  await page.goto(log)
  await hydrated(page)
  await page.getByRole('link', { name: 'Older' }).click()
  await page.getByRole('link', { name: 'Newer' }).waitFor()
  t.equal(await page.getByRole('button', { name: 'Follow' }).count(), 0)
  await page.getByRole('link', { name: 'Newer' }).click()
  await page.getByRole('button', { name: 'Follow' }).waitFor()
})

t.test('filters narrow the search and can be taken back, without JavaScript too', async t => {
  const page = await openPage(t, { javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
  await page.goto(`${server.origin}/activities`)
  await page.getByRole('link', { name: 'Without Service follow-me' }).click()
  t.equal(new URL(page.url()).searchParams.get('q'), '-service:follow-me')
  await page.getByRole('link', { name: 'Let Service follow-me in again' }).click()
  t.equal(new URL(page.url()).searchParams.get('q'), null)
})
