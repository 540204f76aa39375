import { brotliCompressSync } from 'node:zlib'
import * as esbuild from 'esbuild'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { sdkOptions } from '../../scripts/build/options.mjs'
import { expectConsoleMessage } from '../../scripts/tap-setup.ts'
import type { BrowserError } from '../../shared/browser-report.ts'
import { onRecoverableError, onUncaughtError, report, watch } from './browser.ts'
import { describeError } from './browser-error.ts'

t.test('the bundle is smaller than 3 KiB', async t => {
  const built = await Promise.all(sdkOptions().map(options => esbuild.build(options)))
  const file = built
    .flatMap(({ outputFiles }) => outputFiles)
    .find(({ path }) => path.endsWith('/browser.js'))
  const bytes = brotliCompressSync(file?.contents ?? '').length
  t.ok(bytes > 2000 && bytes < 3 * 1024, `${bytes} bytes with brotli`)
})

t.test('does nothing outside a document', async t => {
  watch({ url: 'https://sixpane.example', service: 'shop-web' })
  report(new Error('boom'))
  t.equal(typeof document, 'undefined')
})

/** Returns another copy of the module, because `watch` has an effect only once. */
async function freshModule(): Promise<typeof import('./browser.ts')> {
  const copy = new URL(`./browser.ts?${crypto.randomUUID()}`, import.meta.url)
  return import(copy.href)
}

/** Adds the parts of a browser that `watch` uses. Returns the list of sent reports. */
function browserPage(t: Test) {
  const reports: { path: string; route?: string; error: BrowserError }[] = []
  t.intercept(globalThis, 'document', { value: {} })
  t.intercept(globalThis, 'location', { value: { pathname: '/cart' } })
  t.intercept(globalThis, 'addEventListener', { value: () => {} })
  const sendBeacon = (_url: string, body: string) => reports.push(JSON.parse(body)) > 0
  t.intercept(globalThis, 'navigator', { value: { sendBeacon } })
  return reports
}

t.test('a report that exceeds the beacon quota is sent without `keepalive`', async t => {
  browserPage(t)
  const requests: RequestInit[] = []
  t.intercept(globalThis, 'navigator', { value: { sendBeacon: () => false } })
  t.intercept(globalThis, 'fetch', {
    value: async (_url: string, request: RequestInit) => requests.push(request),
  })
  const { report, watch } = await freshModule()
  watch({ url: 'https://sixpane.example', service: 'shop-web', sample: 0 })
  report(new Error('one of many'))
  t.match(requests, [{ method: 'POST', body: 'one of many', keepalive: undefined }])
})

t.test('errors from `report` and from React are sent, at most ten per page', async t => {
  const reports = browserPage(t)
  expectConsoleMessage(t, 'Error')
  report(new Error('before watch'))
  report(new Error('also before watch'))
  const route = () => {
    throw new Error('unknown page')
  }
  watch({ url: 'https://sixpane.example', service: 'shop-web', sample: 0, route })
  report(new Error('after watch'))
  t.match(reports, [
    { path: '/cart', error: { message: 'before watch' } },
    { error: { message: 'also before watch' } },
    { error: { message: 'after watch' } },
  ])

  const twice = new Error('first recoverable')
  for (let time = 0; time < 2; time++) onRecoverableError(twice, {})
  for (let time = 0; time < 2; time++) onUncaughtError(twice, {})
  const once = new Error('first uncaught')
  onUncaughtError(once, {})
  onRecoverableError(once, {})
  t.match(reports.slice(3), [
    { error: { trigger: 'onRecoverableError', message: 'first recoverable' } },
    { error: { trigger: 'onUncaughtError', message: 'first recoverable' } },
    { error: { trigger: 'onUncaughtError', message: 'first uncaught' } },
  ])
  t.equal(reports.length, 6)

  for (let count = 0; count < 20; count++) {
    onRecoverableError(new Error(`warning ${count}`), {})
    report(new Error(`error ${count}`))
  }
  t.equal(reports.length, 10, 'ten errors per page')
})

t.test('an empty release or route is not sent', async t => {
  const reports = browserPage(t)
  const { report, watch } = await freshModule()
  watch({ url: 'https://sixpane.example', service: 'shop-web', release: '', sample: 0, route: () => '' })
  report(new Error('boom'))
  t.same(Object.keys(reports[0] ?? {}), ['service', 'path', 'error'])
})

t.test('describes errors with their causes', async t => {
  const cause = new RangeError('no such card')
  const error = new TypeError('payment failed', { cause })
  t.match(describeError(error), {
    type: 'TypeError',
    message: 'payment failed',
    stack: /^TypeError: payment failed\n {4}at .*\ncaused by: RangeError: no such card\n {4}at /s,
  })
  const inFirefox = Object.assign(new Error('boom'), { stack: 'total@https://shop.example/cart.js:1:2\n' })
  t.equal(describeError(inFirefox).stack, 'Error: boom\ntotal@https://shop.example/cart.js:1:2\n')
  const many = new AggregateError([cause], 'all failed')
  t.match(describeError(many).stack, 'caused by: RangeError: no such card')
  const endless = new Error('again')
  endless.cause = endless
  t.ok(describeError(endless).stack.length < 20_001)
  t.equal(describeError(Object.assign(new Error('x'), { digest: '2338471' })).digest, '2338471')
  t.equal(describeError(Object.assign(new Error('x'), { digest: 7 })).digest, undefined)
})

t.test('limits the component stack', async t => {
  const { componentStack } = describeError(new Error('x'), '', { componentStack: 'a'.repeat(9000) })
  t.equal(componentStack?.length, 4000)
  t.equal(describeError(new Error('x'), '', { componentStack: null }).componentStack, undefined)
})

t.test('describes other thrown values without their property values', async t => {
  const place = 'https://shop.example/cart.js:1:2'
  t.match(describeError('no cart', place), {
    type: 'string',
    message: 'no cart',
    stack: `    at ${place}`,
  })
  t.match(describeError(undefined), { type: 'undefined', message: 'undefined', stack: '' })
  t.match(describeError(null), { type: 'object', message: 'null' })
  t.match(describeError(Symbol('sign')), { type: 'symbol', message: 'Symbol(sign)' })
  t.match(describeError({ code: 7, card: '4111 1111' }), {
    type: 'object',
    message: '[object Object] code,card',
  })
  t.match(describeError(new DOMException('gone', 'AbortError')), { type: 'AbortError', message: 'gone' })
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  t.match(describeError(proxy), { type: 'object' })
  t.match(
    describeError({
      message: 'a',
      get stack() {
        throw new Error('b')
      },
    }),
    { type: 'object' },
  )
})

t.test('the report of any thrown value fits into a beacon', async () => {
  const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withTypedArray: true })
  const likeError = fc.record(
    {
      name: anything,
      message: anything,
      stack: anything,
      cause: anything,
      errors: anything,
      digest: anything,
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.oneof(anything, likeError, fc.string({ minLength: 30_000 })), thrown => {
      const { type, message, stack } = describeError(thrown)
      return (
        [type, message, stack].every(text => typeof text === 'string') &&
        message.length + stack.length <= 24_000
      )
    }),
  )
})

t.test('reads the debug ids of the files in the stack', async t => {
  const globals: { _debugIds?: object; _sentryDebugIds?: object } = Object(globalThis)
  t.teardown(() => {
    delete globals._debugIds
    delete globals._sentryDebugIds
  })
  const error = (file: string) =>
    Object.assign(new Error('boom'), { stack: `Error: boom\n    at total (${file}:1:2)` })
  t.equal(describeError(error('http://localhost:8080/cart.js')).debugIds, undefined)
  globals._debugIds = {
    'Error\n    at http://localhost:8080/cart.js:1:56\n    at http://localhost:8080/main.js:2:1': 'id-cart',
    'Error\n    at http://localhost:8080/main.js:1:56': 'id-main',
    'not a stack': 'id-none',
  }
  globals._sentryDebugIds = { '@https://shop.example/other.js:1:56\n': 'id-other' }
  t.same(describeError(error('http://localhost:8080/cart.js')).debugIds, {
    'http://localhost:8080/cart.js': 'id-cart',
  })
  t.same(describeError(error('https://shop.example/other.js')).debugIds, {
    'https://shop.example/other.js': 'id-other',
  })
})
