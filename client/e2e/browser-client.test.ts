/** Runs `sixpane/browser` in a web application on another origin, with the built server. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import { type StartedServer, startServer } from '../../scripts/test/server.ts'
import { paths } from '../../shared/paths.ts'
import { settingsForms } from '../../shared/screens/settings.ts'
import { expect, hydrated, type OpenedPage, type TestFixtures, test } from './fixtures.ts'

const password = 'correct horse'
const authorization = `Basic ${Buffer.from(`any:${password}`).toString('base64')}`

type Shop = { origin: string; close: () => void }

let shop: Shop
let stranger: Shop
let server: StartedServer
test.beforeAll(async () => {
  shop = await startShop()
  stranger = await startShop()
  server = await startServer({
    SIXPANE_PASSWORD: password,
    SIXPANE_BROWSER_ORIGINS: shop.origin,
    // Only the request log shows whether a report was accepted.
    LOG_LEVEL: 'debug',
  })
})
test.afterAll(async () => {
  await server.stop()
  shop.close()
  stranger.close()
})

/** Serves the same page, with a bundled and minified script, at every path. */
async function startShop(): Promise<Shop> {
  const app = createServer(async (request, response) => {
    if (request.url === '/app.js') {
      response.setHeader('content-type', 'text/javascript').end(await bundle())
      return
    }
    // The default header of helmet hides the page's path, but the browser must still send the origin.
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
  if (address === null || typeof address === 'string') throw new Error('The shop is not listening on a port')
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

/** Resolves when the server has responded to `times` more reports with `status`. */
function answered(status: number, times: number) {
  const past = new Set(server.lines)
  let seen = 0
  return server.line(
    line => !past.has(line) && line.route === paths.browser() && line.status === status && ++seen === times,
  )
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

async function visit(openPage: TestFixtures['openPage'], origin: string): Promise<OpenedPage> {
  const page = await openPage()
  for (const text of ['payment failed', 'refund failed', 'nothing to ask', 'again '])
    page.expectConsoleMessage(text)
  await page.goto(`${origin}/orders/7?email=ada@example.com`)
  await hydrated(page)
  return page
}

test('exceptions and Web Vitals from a configured origin are stored, even if a password is set', async ({
  openPage,
}) => {
  const page = await visit(openPage, shop.origin)
  const errors = answered(204, 3)
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.getByRole('button', { name: 'Refund' }).click()
  await page.getByRole('button', { name: 'Ask' }).click()
  await errors
  const events = await found('service:shop-web severity:error source:browser')
  const common = {
    release: '1.4.0',
    route: '/orders/:id',
    attributes: { 'url.full': `${shop.origin}/orders/7` },
  }
  expect(events).toMatchObject([
    {
      ...common,
      message: 'payment failed',
      exception: {
        type: 'RangeError',
        message: 'payment failed',
        stack: expect.stringMatching(
          /^RangeError: payment failed\n.*app\.js:\d+:\d+.*\ncaused by: TypeError: .*null.*\n.*app\.js/s,
        ),
      },
      attributes: { ...common.attributes, trigger: 'error' },
    },
    {
      ...common,
      exception: { type: 'Error', message: 'refund failed' },
      digest: '2338471',
      attributes: { ...common.attributes, trigger: 'unhandledrejection' },
    },
    {
      ...common,
      exception: {
        type: 'string',
        message: 'nothing to ask',
        stack: expect.stringMatching(/app\.js:\d+:\d+/),
      },
    },
  ])
  expect(events.length, 'the same exception is reported once per page load').toBe(3)
  expect(JSON.stringify(events)).not.toContain('ada@example.com')

  const vitalReports = answered(204, 1)
  await page.goto('about:blank')
  await vitalReports
  const vitals = await found('service:shop-web event.name:browser.web_vital route:/orders/:id')
  const names = vitals.map(({ message }) => String(message).split(' ')[0])
  expect(new Set(names)).toEqual(new Set(['LCP', 'INP', 'CLS', 'TTFB']))
  expect(vitals.length).toBe(4)
  expect(await found('vital.name:LCP service:shop-web')).toMatchObject([
    {
      severity: 'info',
      source: 'browser',
      attributes: { vital: { rating: expect.stringMatching(/./), navigationType: 'navigate' } },
    },
  ])
})

test('at most ten exceptions per page load are reported', async ({ openPage }) => {
  const page = await visit(openPage, shop.origin)
  // Ten exceptions, and the Web Vitals.
  const reports = answered(204, 10 + 1)
  const lastError = page.waitForEvent('pageerror', error => error.message.includes('again 199'))
  await page.getByRole('button', { name: 'Repeat' }).click()
  await lastError
  await page.goto('about:blank')
  await reports
  expect((await found('service:shop-web severity:error again')).length).toBe(10)
})

test('reports from an origin that is not configured are rejected', async ({ openPage }) => {
  const page = await visit(openPage, stranger.origin)
  page.expectConsoleMessage('Failed to load resource')
  const rejection = answered(403, 1)
  await page.getByRole('button', { name: 'Pay' }).click()
  await rejection
  expect(await found(`"${stranger.origin}"`)).toEqual([])
})

test("Web Vitals of Sixpane's own screens are stored", async ({ openPage }) => {
  const page = await openPage({ httpCredentials: { username: 'any', password } })
  await page.goto(server.origin + paths.ui())
  await hydrated(page)
  // Wait until the module that measures Web Vitals is running.
  const module = await page.waitForFunction(
    () => performance.getEntriesByType('resource').find(({ name }) => name.includes('/browser-'))?.name,
  )
  await page.evaluate(name => import(String(name)), module)
  await page.goto('about:blank')
  const line = await server.line(({ vital }) => Object(vital).name === 'LCP')
  expect(line).toMatchObject({
    name: 'sixpane',
    level: 30,
    route: paths.ui(),
    vital: { rating: expect.stringMatching(/./) },
  })
  // Sixpane's own events are stored asynchronously.
  let events = await found('vital.name:LCP service:sixpane')
  while (events.length === 0) events = await found('vital.name:LCP service:sixpane')
  expect(events).toMatchObject([{ source: 'own', route: paths.ui() }])
})

test('a token grants access to ingest but not to the screens', async () => {
  const answer = await fetch(server.origin + paths.settings(), {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ form: settingsForms.makeToken, name: 'shop' }),
  })
  const [token] = /sxp_[\w-]{32}/.exec(await answer.text()) ?? []
  expect(token, '/settings shows the token').toBeTruthy()
  const bearer = { authorization: `Bearer ${token}` }
  const send = await fetch(server.origin + paths.ingest(), {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', ...bearer },
    body: JSON.stringify({ name: 'shop-api', msg: 'sent with a token' }),
  })
  expect(send.status).toBe(200)
  expect(await found('service:shop-api')).toMatchObject([{ message: 'sent with a token' }])
  expect((await fetch(server.origin + paths.home(), { headers: bearer })).status).toBe(401)
})
