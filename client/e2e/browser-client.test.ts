/** Runs `sixpane/browser` in a web application on another origin, with the built server. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import { type StartedServer, startServer } from '../../scripts/test/server.ts'
import { paths } from '../../shared/paths.ts'
import { until } from '../../shared/testing/until.ts'
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

/** Serves a page with a bundled and minified script at every path. The first part of the path selects the script. */
async function startShop(): Promise<Shop> {
  const app = createServer(async (request, response) => {
    const script = scripts.get(request.url ?? '')
    if (script !== undefined) {
      response.setHeader('content-type', 'text/javascript').end(await script())
      return
    }
    // helmet's default `Referrer-Policy` hides the page's path, but the browser must still send the origin.
    response
      .setHeader('referrer-policy', 'no-referrer')
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html>
      <html lang="en"><title>Shop</title><link rel="icon" href="data:,"><h1>Cart</h1>
      <button id="throw">Pay</button><button id="reject">Refund</button>
      <button id="text">Ask</button><button id="loop">Repeat</button>
      <button id="twin">Open</button>
      <div id="root"><p>Basket of the server</p></div>
      <script type="module" src="${scriptFor(request.url ?? '')}"></script>`)
  }).listen(0, 'localhost')
  await once(app, 'listening')
  const address: AddressInfo | string | null = app.address()
  if (address === null || typeof address === 'string') throw new Error('The shop is not listening on a port')
  return { origin: `http://localhost:${address.port}`, close: () => app.close() }
}

const scripts = new Map([
  ['/app.js', bundleOnce(appScript)],
  ['/react.js', bundleOnce(reactScript)],
  ['/no-url.js', bundleOnce(() => `import { watch } from 'sixpane/browser'; watch({ service: 'shop-web' })`)],
])

function scriptFor(path: string): string {
  const script = `/${path.split('/')[1]}.js`
  return scripts.has(script) ? script : '/app.js'
}

function watchCall(): string {
  return `watch({
    url: ${JSON.stringify(server.origin)}, service: 'shop-web', release: '1.4.0',
    route: () => location.pathname.replace(/\\d+/, ':id'),
  })`
}

function appScript(): string {
  return `
    import { watch } from 'sixpane/browser'
    ${watchCall()}
    const on = (id, act) => { document.getElementById(id).onclick = act }
    function total(cart) { return cart.items.length }
    on('throw', () => {
      try { total(null) } catch (cause) { throw new RangeError('payment failed', { cause }) }
    })
    on('reject', () => { Promise.reject(Object.assign(new Error('refund failed'), { digest: '2338471' })) })
    on('twin', () => {
      throw Object.assign(new Error('Minified React error #441; visit https://react.dev/errors/441'), { digest: '4163817072' })
    })
    on('text', () => { throw 'nothing to ask' })
    on('loop', () => { for (let time = 0; time < 200; time++) setTimeout(() => { throw new Error('again ' + time) }) })
    document.documentElement.classList.add('scripted')
  `
}

/**
 * A React application that reports errors in an effect of its error page, as a Next.js `error.tsx` does. At `/react/class`,
 * the error boundary also reports them; at `/react/root`, the options of the React roots do.
 */
function reactScript(): string {
  return `
    import { Component, createElement, useEffect } from 'react'
    import { createRoot, hydrateRoot } from 'react-dom/client'
    import { onCaughtError, onRecoverableError, onUncaughtError, report, watch } from 'sixpane/browser'
    const early = new Error('reported before watch')
    report(early)
    ${watchCall()}
    report(early)
    setTimeout(() => { throw early })
    function ErrorPage({ error }) {
      useEffect(() => report(error), [error])
      return 'Sorry'
    }
    class Boundary extends Component {
      state = { error: null }
      static getDerivedStateFromError(error) { return { error } }
      componentDidCatch(error, info) { if (location.pathname === '/react/class') report(error, info) }
      render() {
        return this.state.error === null
          ? this.props.children
          : createElement(ErrorPage, { error: this.state.error })
      }
    }
    function Basket({ message }) { throw new RangeError(message) }
    const options = location.pathname === '/react/root'
      ? { onCaughtError, onUncaughtError, onRecoverableError } : {}
    const render = (child) => {
      const element = document.body.appendChild(document.createElement('div'))
      createRoot(element, options).render(child)
    }
    const failing = message => createElement(Basket, { message })
    render(createElement(Boundary, null, failing('caught by a boundary')))
    render(failing('caught by nothing'))
    hydrateRoot(document.getElementById('root'), createElement('p', null, 'Basket of the browser'), options)
    document.documentElement.classList.add('scripted')
  `
}

/** Bundles a script on the first call, when the server's address is known. */
function bundleOnce(script: () => string): () => Promise<Uint8Array> {
  let bundled: Promise<Uint8Array> | undefined
  return () => (bundled ??= bundle(script()))
}

async function bundle(contents: string): Promise<Uint8Array> {
  const built = await esbuild.build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    alias: { 'sixpane/browser': fileURLToPath(new URL('../../dist/sdk/browser.js', import.meta.url)) },
    bundle: true,
    minify: true,
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"production"' },
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
  for (const text of ['payment failed', 'refund failed', 'nothing to ask', 'again ', 'React error #441'])
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

/** Opens the React application. Returns the events of its errors: early, caught, uncaught and recoverable. */
async function reactErrors(openPage: TestFixtures['openPage'], path: string) {
  const page = await openPage()
  const printed = ['reported before watch', 'caught by a boundary', 'caught by nothing', 'React error #418']
  for (const text of printed) page.expectConsoleMessage(text)
  const reports = answered(204, printed.length)
  await page.goto(shop.origin + path)
  await hydrated(page)
  await reports
  // A page reports its Web Vitals last, so a duplicate error report would arrive before them.
  const vitals = answered(204, 1)
  await page.goto('about:blank')
  await vitals
  const events = await found(`source:browser route:${path} exception:*`)
  expect(events.length).toBe(printed.length)
  return printed.map(text => events.find(({ message }) => String(message).includes(text)))
}

test('errors caught by React boundaries, and errors from before `watch` is called, are reported once', async ({
  openPage,
}) => {
  const [early, caught, uncaught, recoverable] = await reactErrors(openPage, '/react/page')
  expect(early).toMatchObject({ attributes: { trigger: 'report' } })
  expect(caught).toMatchObject({
    severity: 'error',
    exception: {
      type: 'RangeError',
      message: 'caught by a boundary',
      stack: expect.stringContaining('react.js'),
    },
    attributes: { trigger: 'report' },
  })
  expect(uncaught).toMatchObject({ severity: 'error', attributes: { trigger: 'error' } })
  expect(recoverable).toMatchObject({ severity: 'error', attributes: { trigger: 'error' } })
})

test('an error boundary that is a class component reports the component stack', async ({ openPage }) => {
  const [, caught] = await reactErrors(openPage, '/react/class')
  expect(caught).toMatchObject({
    attributes: { trigger: 'report', componentStack: expect.stringContaining('react.js') },
  })
})

test('the error callbacks of a React root report each error once', async ({ openPage }) => {
  const [early, caught, uncaught, recoverable] = await reactErrors(openPage, '/react/root')
  expect(early).toMatchObject({ attributes: { trigger: 'report' } })
  const componentStack = expect.stringContaining('react.js')
  expect(caught).toMatchObject({
    severity: 'error',
    exception: { type: 'RangeError' },
    attributes: { trigger: 'onCaughtError', componentStack },
  })
  expect(uncaught).toMatchObject({
    severity: 'error',
    attributes: { trigger: 'onUncaughtError', componentStack },
  })
  expect(recoverable).toMatchObject({
    severity: 'warn',
    attributes: { trigger: 'onRecoverableError', componentStack: expect.stringContaining(' at p') },
  })
})

test('an error that React redacted becomes an occurrence of the failure that the server reported', async ({
  openPage,
}) => {
  const page = await visit(openPage, shop.origin)
  const reported = answered(204, 1)
  await page.getByRole('button', { name: 'Open' }).click()
  await reported
  const sent = await fetch(server.origin + paths.ingest(), {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', authorization },
    body: JSON.stringify({
      service: 'shop',
      level: 'error',
      err: {
        type: 'PaymentError',
        message: 'card declined',
        stack: 'PaymentError: card declined\n    at pay (/app/pay.js:1:2)',
      },
      digest: '4163817072',
    }),
  })
  expect(sent.status).toBe(200)
  const [failure] = await found('service:shop digest:4163817072')
  const occurrences = async () => found(`failure:${failure?.fingerprint}`)
  await expect.poll(async () => (await occurrences()).length).toBe(2)
  const console = await openPage({ httpCredentials: { username: 'any', password } })
  await console.goto(server.origin + paths.development({ failure: String(failure?.fingerprint) }))
  await expect(console.getByRole('heading', { name: 'PaymentError' })).toBeVisible()
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
  const events = await until(
    () => found('vital.name:LCP service:sixpane'),
    ({ length }) => length > 0,
  )
  expect(events).toMatchObject([{ source: 'own', route: paths.ui() }])
})

test('without a URL, for example if a variable is missing, nothing is thrown', async ({ openPage }) => {
  const page = await openPage()
  await page.goto(`${shop.origin}/no-url`)
  await page.evaluate(() => dispatchEvent(new Event('pagehide')))
  await expect(page.getByRole('heading', { name: 'Cart' })).toBeVisible()
})
