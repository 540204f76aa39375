/** A web application of another origin with what `sixpane/browser` gives it, in a browser, against the built server. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import t, { type Test } from 'tap'
import { paths } from '../../shared/paths.ts'
import { settingsForms } from '../../shared/screens/settings.ts'
import { closeBrowser, hydrated, type OpenedPage, openPage } from './browser.ts'
import { startServer } from './server.ts'

const password = 'correct horse'
const authorization = `Basic ${Buffer.from(`any:${password}`).toString('base64')}`

const shop = await startShop()
const stranger = await startShop()
const server = await startServer({
  SIXPANE_PASSWORD: password,
  SIXPANE_BROWSER_ORIGINS: shop.origin,
  // Whether a browser's report was taken shows in the log of requests alone.
  LOG_LEVEL: 'debug',
})
t.teardown(async () => {
  await closeBrowser()
  await server.stop()
  shop.close()
  stranger.close()
})

/** A shop with one page at every path, whose script is bundled and minified as a shop's would be. */
async function startShop() {
  const app = createServer(async (request, response) => {
    if (request.url === '/app.js') {
      response.setHeader('content-type', 'text/javascript').end(await bundle())
      return
    }
    // What helmet sends by default: it hides the path of the page, and its origin must show all the same.
    response
      .setHeader('referrer-policy', 'no-referrer')
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html>
      <html lang="en"><title>Shop</title><link rel="icon" href="data:,"><h1>Cart</h1>
      <button id="throw">Pay</button><button id="reject">Refund</button>
      <button id="text">Ask</button><button id="loop">Repeat</button>
      <script type="module" src="/app.js"></script>`)
  }).listen(0, 'localhost')
  await once(app, 'listening')
  const address: AddressInfo | string | null = app.address()
  if (address === null || typeof address === 'string') throw new Error('The shop listens on no port')
  return { origin: `http://localhost:${address.port}`, close: () => app.close() }
}

async function bundle(): Promise<Uint8Array> {
  const contents = `
    import { watch } from 'sixpane/browser'
    watch({
      url: ${JSON.stringify(server.origin)}, service: 'shop-web', release: '1.4.0',
      route: () => location.pathname.replace(/\\d+/, ':id'),
    })
    const on = (id, act) => { document.getElementById(id).onclick = act }
    function total(cart) { return cart.items.length }
    on('throw', () => {
      try { total(null) } catch (cause) { throw new RangeError('payment failed', { cause }) }
    })
    on('reject', () => { Promise.reject(Object.assign(new Error('refund failed'), { digest: '2338471' })) })
    on('text', () => { throw 'nothing to ask' })
    on('loop', () => { for (let time = 0; time < 200; time++) setTimeout(() => { throw new Error('again ' + time) }) })
    document.documentElement.classList.add('scripted')
  `
  const built = await esbuild.build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    alias: { 'sixpane/browser': fileURLToPath(new URL('../../dist/sdk/browser.js', import.meta.url)) },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  })
  return built.outputFiles[0]?.contents ?? new Uint8Array()
}

/** Resolves once so many reports in all were answered with `status`. */
function answered(status: number, times: number) {
  let seen = 0
  return server.line(line => line.route === paths.browser() && line.status === status && ++seen === times)
}

async function found(q: string): Promise<Record<string, unknown>[]> {
  const answer = await fetch(server.origin + paths.export({ q, format: 'ndjson' }), {
    headers: { authorization },
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  const lines = text.split('\n').filter(line => line !== '')
  return lines.map(line => JSON.parse(line)).toReversed()
}

async function visit(t: Test, origin: string): Promise<OpenedPage> {
  const page = await openPage(t)
  for (const text of ['payment failed', 'refund failed', 'nothing to ask', 'again '])
    page.expectComplaint(text)
  await page.goto(`${origin}/orders/7?email=ada@example.com`)
  await hydrated(page)
  return page
}

t.test('what a visitor of another origin meets is found, with a password set', async t => {
  const page = await visit(t, shop.origin)
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.getByRole('button', { name: 'Refund' }).click()
  await page.getByRole('button', { name: 'Ask' }).click()
  await answered(204, 3)
  const events = await found('service:shop-web severity:error source:browser')
  const common = {
    release: '1.4.0',
    route: '/orders/:id',
    attributes: { 'url.full': `${shop.origin}/orders/7` },
  }
  t.match(events, [
    {
      ...common,
      message: 'payment failed',
      exception: {
        type: 'RangeError',
        message: 'payment failed',
        stack: /^RangeError: payment failed\n.*app\.js:\d+:\d+.*\ncaused by: TypeError: .*null.*\n.*app\.js/s,
      },
      attributes: { ...common.attributes, trigger: 'error' },
    },
    {
      ...common,
      exception: { type: 'Error', message: 'refund failed' },
      digest: '2338471',
      attributes: { ...common.attributes, trigger: 'unhandledrejection' },
    },
    { ...common, exception: { type: 'string', message: 'nothing to ask', stack: /app\.js:\d+:\d+/ } },
  ])
  t.equal(events.length, 3, 'the same exception once a page')
  t.notMatch(JSON.stringify(events), 'ada@example.com')

  await page.goto('about:blank')
  await answered(204, 4)
  const vitals = await found('service:shop-web event.name:browser.web_vital route:/orders/:id')
  const names = vitals.map(({ message }) => String(message).split(' ')[0])
  t.same(new Set(names), new Set(['LCP', 'INP', 'CLS', 'TTFB']))
  t.equal(vitals.length, 4)
  t.match(await found('vital.name:LCP service:shop-web'), [
    {
      severity: 'info',
      source: 'browser',
      attributes: { vital: { rating: /./, navigationType: 'navigate' } },
    },
  ])
})

t.test('a loop that throws does not flood', async t => {
  const page = await visit(t, shop.origin)
  await page.getByRole('button', { name: 'Repeat' }).click()
  await page.goto('about:blank')
  // Four of the test before, ten exceptions, and the figures.
  await answered(204, 4 + 10 + 1)
  t.equal((await found('service:shop-web severity:error again')).length, 10)
})

t.test('a page of an origin that is not configured leaves nothing', async t => {
  const page = await visit(t, stranger.origin)
  page.expectComplaint('Failed to load resource')
  await page.getByRole('button', { name: 'Pay' }).click()
  await answered(403, 1)
  t.same(await found(`"${stranger.origin}"`), [])
})

t.test("Sixpane's own screens are measured like any other", async t => {
  const page = await openPage(t, { httpCredentials: { username: 'any', password } })
  await page.goto(server.origin + paths.ui())
  await hydrated(page)
  // Once what measures them has run, however late the browser found the time for it.
  const module = await page.waitForFunction(
    () => performance.getEntriesByType('resource').find(({ name }) => name.includes('/browser-'))?.name,
  )
  await page.evaluate(name => import(String(name)), module)
  await page.goto('about:blank')
  const line = await server.line(({ vital }) => Object(vital).name === 'LCP')
  t.match(line, { name: 'sixpane', level: 30, route: paths.ui(), vital: { rating: /./ } })
  // Nobody waits for Sixpane's own events: they are stored a moment later.
  let events = await found('vital.name:LCP service:sixpane')
  while (events.length === 0) events = await found('vital.name:LCP service:sixpane')
  t.match(events, [{ source: 'own', route: paths.ui() }])
})

t.test('a token sends events, and opens no screen', async t => {
  const answer = await fetch(server.origin + paths.settings(), {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ form: settingsForms.makeToken, name: 'shop' }),
  })
  const [token] = /sxp_[\w-]{32}/.exec(await answer.text()) ?? []
  t.ok(token, 'the settings show it')
  const bearer = { authorization: `Bearer ${token}` }
  const send = await fetch(server.origin + paths.ingest(), {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', ...bearer },
    body: JSON.stringify({ name: 'shop-api', msg: 'sent with a token' }),
  })
  t.equal(send.status, 200)
  t.match(await found('service:shop-api'), [{ message: 'sent with a token' }])
  t.equal((await fetch(server.origin + paths.home(), { headers: bearer })).status, 401)
})
