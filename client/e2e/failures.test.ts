import t from 'tap'
import { failureSentence } from '../../shared/failure-page.ts'
import { closeBrowser, hydrated, openPage } from './browser.ts'
import { startServer } from './server.ts'

const server = await startServer({ SIXPANE_DRILL: '1' })
const { host } = new URL(server.origin)
t.teardown(async () => {
  await closeBrowser()
  await server.stop()
})

for (const javaScriptEnabled of [true, false]) {
  for (const way of ['content', 'render', 'late'] as const) {
    t.test(`a page that fails by ${way}, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async t => {
      const page = await openPage(t, { javaScriptEnabled })
      if (way !== 'late') page.expectComplaint('status of 500')
      const answer = await page.goto(`${server.origin}/development?drill=${way}`)
      t.equal(answer?.status(), way === 'late' ? 200 : 500)
      await page.getByText(failureSentence('server', host)).waitFor()
      t.equal(await page.getByRole('navigation').count(), 0, 'nothing of the screen is left')
      const digest = /Digest: ([0-9a-f]{10})/.exec(await page.getByRole('alert').innerText())?.[1]
      const line = await server.line(each => each.digest === digest)
      t.match(line, { level: 50, route: '/development', err: { message: /on purpose/ } })

      // The digest that a visitor saw leads to its own log line.
      await page.goto(server.origin)
      await page.getByRole('searchbox').first().fill(String(digest))
      await page.getByRole('searchbox').first().press('Enter')
      await page.waitForURL(url => url.searchParams.get('failure') === digest)
      await page
        .getByRole('main')
        .getByText(/fails on purpose/)
        .first()
        .waitFor()
      await page.getByText(String(line.reqId)).first().waitFor()
    })
  }
}

t.test('a page that fails in the browser tells the server, and shows the digest of its answer', async t => {
  const page = await openPage(t)
  page.expectComplaint('on purpose')
  await page.goto(`${server.origin}/ui?drill=client`)
  await page.getByText(failureSentence('client', host)).waitFor()
  const shown = page.getByText(/^Digest: [0-9a-f]{10}$/)
  await shown.waitFor()
  const digest = (await shown.innerText()).replace('Digest: ', '')
  const line = await server.line(each => each.digest === digest)
  t.match(line, {
    level: 50,
    side: 'client',
    route: '/ui',
    err: { message: /on purpose/, stack: /routes\.tsx/ },
  })
})

t.test('a click to a screen that fails ends at the same page as a full load', async t => {
  const page = await openPage(t)
  page.expectComplaint('status of 500')
  await page.goto(`${server.origin}/development`)
  await hydrated(page)
  await page.getByRole('region', { name: 'Drill' }).getByRole('link').first().click()
  await page.getByText(failureSentence('server', host)).waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1 }).waitFor()
})

t.test('after all of these failures it stops cleanly', async t => {
  t.equal(await server.stop(), 0)
})
