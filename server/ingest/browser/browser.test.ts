import cookie from '@fastify/cookie'
import fc from 'fast-check'
import Fastify, { LogController } from 'fastify'
import t, { type Test } from 'tap'
import type { BrowserReport } from '../../../shared/browser-report.ts'
import type { NewEvent } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import authentication from '../../auth/authentication.ts'
import { createClean } from '../../events/clean.ts'
import { QueueFullError } from '../../events/events.ts'
import { createNormalise } from '../../events/normalise.ts'
import { createLogger } from '../../logger.ts'
import crossSite from '../../middleware/cross-site.ts'
import headers from '../../middleware/headers.ts'
import { readConfig } from '../../settings/config.ts'
import { fakeContext } from '../../testing/fake-context.ts'
import browser from './browser.ts'
import { readReport } from './browser-report.ts'

const shop = 'https://shop.example'
const own = 'http://localhost:3000'
const host = 'localhost:3000'

type Options = { env?: Record<string, string>; accept?: () => Promise<void> }

async function start(t: Test, { env = {}, accept }: Options = {}) {
  const stored: NewEvent[] = []
  const lines: Record<string, unknown>[] = []
  const fake = fakeContext()
  const { logger } = createLogger({
    level: 'info',
    release: '0.1.0',
    clean: createClean([]),
    onLine: () => {},
    output: { write: (text: string) => void lines.push(JSON.parse(text)) },
  })
  const context = fakeContext({
    config: readConfig({ SIXPANE_BROWSER_ORIGINS: `${shop},https://app.example:8443`, ...env }),
    normalise: createNormalise(createClean([]), fake.failures),
    events: {
      ...fake.events,
      accept: async events => {
        await accept?.()
        stored.push(...events)
      },
    },
  })
  const logController = new LogController({ disableRequestLogging: true })
  const app = Fastify({ loggerInstance: logger, logController, trustProxy: true })
  await app.register(headers, { scriptSources: [], styleSources: [] })
  await app.register(crossSite, { context })
  await app.register(cookie)
  await app.register(authentication, { context })
  await app.register(browser, { context })
  t.teardown(() => app.close())
  const send = (report: object | string, sent: Record<string, string> = { origin: shop }) =>
    app.inject({
      method: 'POST',
      url: paths.browser(),
      headers: { host, 'content-type': 'text/plain;charset=UTF-8', ...sent },
      payload: typeof report === 'string' ? report : JSON.stringify(report),
    })
  return { app, send, stored, lines }
}

const stack = `TypeError: total is undefined\n    at total (${shop}/assets/cart-1a2b.js:1:234)`
const errorReport: BrowserReport = {
  service: 'shop-web',
  release: '1.4.0',
  path: '/orders/7?email=ada@example.com#top',
  route: '/orders/:id',
  error: {
    trigger: 'unhandledrejection',
    type: 'TypeError',
    message: 'total is undefined',
    stack,
    digest: '2338471',
    debugIds: { [`${shop}/assets/cart-1a2b.js`]: '85314830-023f-4cf1-a267-535f4e37bb17' },
  },
}
const vitalsReport: BrowserReport = {
  service: 'shop-web',
  path: '/cart',
  vitals: [
    { name: 'LCP', value: 1234.5, rating: 'good', navigationType: 'navigate' },
    { name: 'CLS', value: 0.123456, rating: 'needs-improvement', navigationType: 'navigate' },
    { name: 'INP', value: 240.19999998807907, rating: 'needs-improvement', navigationType: 'reload' },
  ],
}

t.test('an exception becomes an event with a stack, route, release, digest and debug ids', async t => {
  const { send, stored } = await start(t)
  const response = await send(errorReport, { origin: shop, 'user-agent': 'Mozilla/5.0 (X11)' })
  t.equal(response.statusCode, 204)
  t.equal(response.body, '')
  t.equal(stored.length, 1)
  t.match(stored[0], {
    source: 'browser',
    severity: 'error',
    service: 'shop-web',
    release: '1.4.0',
    route: '/orders/:id',
    body: 'total is undefined',
    exception: { type: 'TypeError', message: 'total is undefined', stack },
    digest: '2338471',
    fingerprint: /^[0-9a-f]{10}$/,
    requestId: null,
    attributes: {
      'url.full': `${shop}/orders/7`,
      'user_agent.original': 'Mozilla/5.0 (X11)',
      trigger: 'unhandledrejection',
      debugIds: errorReport.error?.debugIds,
    },
  })
  t.notMatch(JSON.stringify(stored), 'ada@example.com')
})

t.test('reports from React include the component stack; recoverable errors are warnings', async t => {
  const { send, stored } = await start(t)
  const componentStack = '\n    at Cart (https://shop.example/assets/cart-1a2b.js:1:300)'
  for (const trigger of ['report', 'onCaughtError', 'onUncaughtError', 'onRecoverableError'] as const) {
    const error = { trigger, type: 'Error', message: 'boom', stack, componentStack }
    t.equal((await send({ ...errorReport, error })).statusCode, 204)
  }
  t.match(
    stored.map(({ severity, attributes }) => [severity, attributes.trigger, attributes.componentStack]),
    [
      ['error', 'report', componentStack],
      ['error', 'onCaughtError', componentStack],
      ['error', 'onUncaughtError', componentStack],
      ['warn', 'onRecoverableError', componentStack],
    ],
  )
  t.equal(new Set(stored.map(({ fingerprint }) => fingerprint)).size, 1)
  const long = { ...errorReport.error, componentStack: 'x'.repeat(4001) }
  t.equal((await send({ ...errorReport, error: long })).statusCode, 400)
})

t.test('groups redacted React errors by digest, and does not store their free text', async t => {
  const { send, stored } = await start(t)
  const redacted = (message: string, digest?: string, path = '/') => {
    const error = {
      trigger: 'report',
      type: 'Evil',
      message,
      stack: 'Evil: text\n    at x.js:1:1',
      digest,
    } as const
    return send({ ...errorReport, path, route: path, error })
  }
  await redacted('Minified React error #441; visit https://react.dev/errors/441 any text', '2338471', '/a')
  await redacted('An error occurred in the Server Components render. Any text', '2338471@E80', '/b')
  await redacted('Minified React error #419; visit https://react.dev/errors/419', '2338471', '/c')
  await redacted('Minified React error #441; visit https://react.dev/errors/441', '99', '/a')
  await redacted('Minified React error #4412; visit', '2338471')
  await redacted('total is undefined', '2338471')
  await redacted('Minified React error #441; visit')
  t.match(stored.slice(0, 3), [
    {
      body: 'Minified React error #441',
      exception: { type: 'Error', message: 'Minified React error #441', stack: null },
      digest: '2338471',
      route: '/a',
      attributes: { trigger: 'report' },
    },
    { body: 'An error occurred in the Server Components render', digest: '2338471@E80', route: '/b' },
    { body: 'Minified React error #419' },
  ])
  t.notMatch(JSON.stringify(stored.slice(0, 4)), /any text|Evil/i)
  const fingerprints = stored.map(({ fingerprint }) => fingerprint)
  t.match(fingerprints[0], /^[0-9a-f]{10}$/)
  t.equal(new Set(fingerprints.slice(0, 3)).size, 1, 'one per digest, not one per route or message')
  t.not(fingerprints[3], fingerprints[0])
  t.ok(fingerprints.slice(4).every(each => !fingerprints.slice(0, 4).includes(each)))
  for (const { exception } of stored.slice(4)) t.match(exception?.stack, 'Evil: text')
})

t.test('each Web Vital becomes an event', async t => {
  const { send, stored } = await start(t)
  await send(vitalsReport)
  t.match(stored, [
    { severity: 'info', body: 'LCP 1.2 s on /cart', route: '/cart', source: 'browser', exception: null },
    {
      body: 'CLS 0.12 on /cart',
      attributes: { 'event.name': 'browser.web_vital', vital: { value: 0.1235 } },
    },
    {
      body: 'INP 240 ms on /cart',
      release: null,
      attributes: {
        vital: { name: 'INP', value: 240.2, rating: 'needs-improvement', navigationType: 'reload' },
      },
    },
  ])
  t.equal(stored.length, 3)
  t.notOk('release' in (stored[0]?.attributes ?? {}), 'missing values do not become attributes')
})

t.test('script errors from other origins get a hint; ResizeObserver messages are not failures', async t => {
  const { send, stored } = await start(t)
  const error = { trigger: 'error', type: 'Error', stack: '' } as const
  await send({ ...errorReport, error: { ...error, message: 'Script error.' } })
  await send({
    ...errorReport,
    error: { ...error, message: 'ResizeObserver loop completed with undelivered notifications.' },
  })
  t.match(stored, [
    { severity: 'error', exception: { stack: null }, attributes: { hint: /another origin/ } },
    { severity: 'debug', exception: null, fingerprint: null },
  ])
})

t.test('a report cannot set source, time, ids, status, fingerprint or a reserved service name', async t => {
  const { send, stored } = await start(t)
  const claims = {
    source: 'own',
    requestId: 'forged',
    reqId: 'forged',
    traceId: 'a'.repeat(32),
    status: 200,
    durationMs: 1,
    time: '2001-01-01T00:00:00Z',
    fingerprint: '0123456789',
    attributes: { service: 'payments' },
  }
  t.equal(
    (await send({ ...errorReport, ...claims, error: { ...errorReport.error, ...claims } })).statusCode,
    204,
  )
  t.match(stored[0], {
    source: 'browser',
    service: 'shop-web',
    requestId: null,
    traceId: null,
    status: null,
    durationMs: null,
  })
  t.ok((stored[0]?.timeMs ?? 0) > Date.now() - 60_000, 'the arrival time')
  t.notMatch(JSON.stringify(stored), 'forged')
  for (const service of [
    'sixpane',
    'Sixpane',
    'sixpane ',
    'sixpane\u200b',
    'sixpane\u3164',
    's\u0130xpane',
  ]) {
    const { statusCode } = await send({ ...errorReport, service })
    t.equal(statusCode, 400, `the service name is reserved: ${JSON.stringify(service)}`)
  }
  t.equal(stored.length, 1)
})

t.test('CORS: accepts reports only from configured origins, with and without a password', async t => {
  for (const env of [{}, { SIXPANE_PASSWORD: 'correct horse' }]) {
    const { app, send, stored } = await start(t, { env })
    const preflight = (origin: string) =>
      app.inject({
        method: 'OPTIONS',
        url: paths.browser(),
        headers: {
          host,
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        },
      })
    for (const origin of [shop, 'https://app.example:8443']) {
      for (const response of [
        await send(vitalsReport, { origin, 'sec-fetch-site': 'cross-site' }),
        await preflight(origin),
      ]) {
        t.equal(response.statusCode, 204, origin)
        t.equal(response.headers['access-control-allow-origin'], origin)
        t.equal(response.headers['cross-origin-resource-policy'], 'cross-origin')
        t.match(response.headers.vary, 'Origin')
        t.notOk('access-control-allow-credentials' in response.headers)
      }
      t.match((await preflight(origin)).headers, {
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type',
      })
    }
    const before = stored.length
    for (const origin of [
      'https://evil.example',
      'http://shop.example',
      `${shop}:8443`,
      `${shop}.evil.example`,
      'https://app.example',
      'null',
      '*',
      '',
    ]) {
      for (const response of [
        await send(vitalsReport, { origin, 'sec-fetch-site': 'cross-site' }),
        await preflight(origin),
      ]) {
        t.ok([401, 403].includes(response.statusCode), `${origin}: ${response.statusCode}`)
        t.notOk('access-control-allow-origin' in response.headers, origin)
        t.not(response.headers['cross-origin-resource-policy'], 'cross-origin')
      }
    }
    t.ok([401, 403].includes((await send(vitalsReport, {})).statusCode), 'not a browser')
    t.equal(stored.length, before, 'nothing was stored')
  }
})

t.test('logs an unknown origin once, and names the variable to set', async t => {
  const { send, lines } = await start(t)
  const from = (origin: string) => send(vitalsReport, { origin, 'sec-fetch-site': 'cross-site' })
  for (const origin of ['https://new.example', 'https://new.example', 'null', 'x'.repeat(10_000)])
    t.equal((await from(origin)).statusCode, 403)
  t.match(lines, [{ level: 40, origin: 'https://new.example', msg: /SIXPANE_BROWSER_ORIGINS/ }])
  t.equal(lines.length, 1)
  for (let index = 0; index < 30; index += 1) await from(`https://${index}.example`)
  t.equal(lines.length, 20)
})

t.test("logs reports from Sixpane's own pages", async t => {
  const { send, stored, lines } = await start(t)
  const sent = { origin: own, 'sec-fetch-site': 'same-origin' }
  t.equal((await send({ ...vitalsReport, service: 'sixpane', path: '/activities' }, sent)).statusCode, 204)
  t.equal((await send({ ...errorReport, service: 'sixpane', path: '/made-up' }, sent)).statusCode, 204)
  t.match(lines, [
    {
      level: 30,
      name: 'sixpane',
      route: '/activities',
      msg: 'LCP 1.2 s on /activities',
      vital: { name: 'LCP' },
    },
    { vital: { name: 'CLS' } },
    { vital: { name: 'INP' } },
    { level: 50, route: null, side: 'client', err: { type: 'TypeError' }, digest: '0123456789' },
  ])
  t.same(stored, [])
})

t.test("if a password is set, reports from Sixpane's own pages need it", async t => {
  const { send, lines } = await start(t, { env: { SIXPANE_PASSWORD: 'correct horse' } })
  const report = { ...vitalsReport, service: 'sixpane' }
  t.equal((await send(report, { origin: own })).statusCode, 401)
  const authorization = `Basic ${Buffer.from('any:correct horse').toString('base64')}`
  t.equal((await send(report, { origin: own, authorization })).statusCode, 204)
  t.equal(lines.length, 3)
})

t.test('rejects invalid reports and oversized bodies', async t => {
  const { send, stored } = await start(t)
  const wrong = [
    '',
    '{',
    'null',
    '[]',
    '"text"',
    {},
    { ...vitalsReport, service: '' },
    { ...vitalsReport, service: 1 },
    { ...vitalsReport, service: 'x'.repeat(1000) },
    { ...vitalsReport, vitals: [{ ...vitalsReport.vitals?.[0], value: -1 }] },
    { ...vitalsReport, vitals: [{ ...vitalsReport.vitals?.[0], value: '1' }] },
    { ...vitalsReport, vitals: [{ ...vitalsReport.vitals?.[0], name: 'FID' }] },
    { ...vitalsReport, vitals: Array.from({ length: 100 }, () => vitalsReport.vitals?.[0]) },
    { ...errorReport, error: 'text' },
    { ...errorReport, error: { ...errorReport.error, trigger: 'click' } },
    { ...errorReport, error: { ...errorReport.error, debugIds: { a: 1 } } },
    '['.repeat(50_000),
    `{"service":"shop","path":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
  ]
  for (const report of wrong) {
    t.equal((await send(report)).statusCode, 400, JSON.stringify(report).slice(0, 100))
  }
  const large = { ...errorReport, error: { ...errorReport.error, message: 'x'.repeat(100_000) } }
  const response = await send(large)
  t.equal(response.statusCode, 413)
  t.equal(response.headers['access-control-allow-origin'], shop, 'the page can read the response')
  t.same(stored, [])
})

t.test('property: any body becomes a report within the limits or is rejected', async () => {
  const part = fc.oneof(fc.jsonValue(), fc.string(), fc.constantFrom(...Object.values(errorReport)))
  const like = fc.record(
    { service: part, release: part, path: part, route: part, error: part, vitals: fc.array(part) },
    { requiredKeys: [] },
  )
  const body = fc.oneof(
    fc.string(),
    fc.json(),
    like.map(value => JSON.stringify(value)),
    fc.tuple(like, part).map(([value, error]) => JSON.stringify({ ...errorReport, ...value, error })),
  )
  fc.assert(
    fc.property(body, body => {
      const report = readReport(body)
      if (report === null) return true
      return typeof report.service === 'string' && report.service.length <= 200 && !/[?#]/.test(report.path)
    }),
  )
})

t.test('each client address may send 300 reports per minute', async t => {
  const { send } = await start(t)
  const from = (address: string) => send(vitalsReport, { origin: shop, 'x-forwarded-for': address })
  for (let report = 1; report <= 300; report++) {
    const { statusCode } = await from('192.0.2.1')
    if (statusCode !== 204) t.fail(`report ${report} was rejected with ${statusCode}`)
  }
  const response = await from('192.0.2.1')
  t.equal(response.statusCode, 429)
  t.ok(Number(response.headers['retry-after']) > 0)
  t.equal(response.headers['access-control-allow-origin'], shop)
  t.equal((await from('192.0.2.2')).statusCode, 204)
})

t.test('a full queue causes a 429 response, and an unavailable store causes a 503 response', async t => {
  const full = await start(t, { accept: () => Promise.reject(new QueueFullError(2)) })
  t.match(await full.send(vitalsReport), { statusCode: 429, headers: { 'retry-after': '2' } })
  const away = await start(t, { accept: () => Promise.reject(new Error('The disk is full')) })
  const response = await away.send(vitalsReport)
  t.equal(response.statusCode, 503)
  t.notMatch(response.body, 'disk')
})
