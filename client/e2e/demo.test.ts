import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parsePacked } from '../../shared/packed-json.ts'
import { screens } from '../../shared/screens.ts'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'

const demo = fileURLToPath(new URL('../../scripts/demo.mjs', import.meta.url))
let digest: string | undefined

const server = serverForFile({}, async server => {
  // The checkout with a declined card is the first visit that fails, so the demo prints its digest first.
  digest = /Digest: (\d+)/.exec(await runDemo(server.origin))?.[1]
})

/** Runs each kind of visit in `npm run demo` once, and returns the terminal output. */
async function runDemo(url: string): Promise<string> {
  const child = spawn(process.execPath, [demo, '--once', '--url', url], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  if (code !== 0) throw new Error(`The demo failed: ${output}`)
  return output
}

// Without JavaScript, the same steps are tested in promise.test.ts.
test('the failing checkout of the demo can be found', async ({ openPage }) => {
  const page = await openPage()
  const main = page.getByRole('main')

  await page.goto(server.origin)
  await hydrated(page)
  await main.getByText(/services? (is|are) failing/).waitFor()
  await main.getByText('/charges returned 502').first().waitFor()

  // Find the failure by its text in Activities.
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Activities' }).click()
  await page.locator(`main[data-screen=activities]`).waitFor()
  await main.getByRole('searchbox').fill('"/checkout" severity:error')
  await main.getByRole('searchbox').press('Enter')
  await page.waitForURL(url => url.searchParams.has('q'))
  await main
    .getByRole('link', { name: /Failed to load .*checkout/ })
    .first()
    .click()
  await page.waitForURL(url => url.searchParams.has('event'))
  await main.getByText(String(digest)).first().waitFor()
  // The URL opens the same event.
  await page.reload()
  const block = await page.locator('#page').evaluate(element => element.textContent ?? '')
  const { requestId }: { requestId: string } = parsePacked(block).content.open
  await main.getByText(requestId).first().waitFor()

  // Find the failure by its digest in the search field.
  await page.goto(server.origin)
  await hydrated(page)
  await main.getByRole('searchbox').fill(String(digest))
  await main.getByRole('searchbox').press('Enter')
  await page.waitForURL(url => url.pathname === screens.development.path && url.searchParams.has('failure'))
  const failure = main.getByRole('region', { name: 'ServiceError' })
  await failure.getByText('/charges returned 502').first().waitFor()
  await failure.getByText('shop-web.mjs').first().waitFor()
  await failure.getByText('/cart/:cart/checkout').first().waitFor()
  await failure.getByRole('link', { name: requestId }).first().waitFor()
  expect(page.url()).toContain(String(digest))
})
