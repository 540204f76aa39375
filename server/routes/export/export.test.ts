import { once } from 'node:events'
import { connect } from 'node:net'
import cookie from '@fastify/cookie'
import fc from 'fast-check'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import type { Attributes, LogEvent } from '../../../shared/event.ts'
import { type ExportFormat, maxExportedEvents } from '../../../shared/export-format.ts'
import { paths } from '../../../shared/paths.ts'
import { preferencesCookie } from '../../../shared/preferences.ts'
import { createClean } from '../../events/clean.ts'
import { createNormalise } from '../../events/normalise.ts'
import { createFailures } from '../../failures/failures.ts'
import { anEvent, noonMs } from '../../store/conformance/testing.ts'
import { fakeContext } from '../../testing/fake-context.ts'
import { stubPlugins } from '../../testing/stub-plugins.ts'
import type { ReaderLimits } from '../reader-slots.ts'
import { csvTable } from './csv.ts'
import exports, { exportLimits } from './export.ts'
import { ndjsonLine } from './ndjson.ts'

const around = { fromMs: noonMs - 1000, toMs: noonMs + 1000 }

/** Creates an app that serves exports of a store with `count` events. */
async function setUp(
  t: Test,
  count: number,
  {
    limits = exportLimits,
    padding = '',
    attributes = {},
    maxPageSize = Number.POSITIVE_INFINITY,
  }: { limits?: ReaderLimits; padding?: string; attributes?: Attributes; maxPageSize?: number } = {},
) {
  const pageSizes: number[] = []
  let start = () => {}
  const started = new Promise<void>(resolve => {
    start = resolve
  })
  const context = fakeContext({
    store: {
      async wholeEvents({ limit, before }) {
        const from = Number(before ?? 0)
        pageSizes.push(limit)
        start()
        const to = Math.min(from + limit, from + maxPageSize, count)
        const events = Array.from({ length: to - from }, (_, index) => ({
          ...anEvent({ body: `line ${from + index}${padding}`, attributes }),
          id: from + index,
        }))
        return { events, older: to < count ? String(to) : null, newer: null }
      },
    },
  })
  const app = Fastify({ trustProxy: true })
  stubPlugins(app)
  app.register(cookie)
  app.register(exports, { context, limits })
  t.teardown(() => {
    // Unread exports would delay the end of the test.
    app.server.closeAllConnections()
    return app.close()
  })
  const urlOf = (format: string, q = '') => `${paths.export({ q, range: around })}&format=${format}`
  const get = (format: string, q = '') => app.inject({ url: urlOf(format, q) })
  return { app, get, urlOf, pageSizes, started }
}

/** Returns the status of a response, and discards its body. */
async function statusOf(response: Response): Promise<number> {
  await response.body?.cancel()
  return response.status
}

t.test('exports all pages of a search as one file', async t => {
  const { get, pageSizes } = await setUp(t, 2500)
  const lines = await get('ndjson')
  t.match(lines.headers, {
    'content-type': /ndjson/,
    'content-disposition': /attachment; filename="sixpane-.*\.ndjson"/,
  })
  t.same(
    lines.body
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).message),
    Array.from({ length: 2500 }, (_, index) => `line ${index}`),
  )
  t.same(pageSizes, [100, 1000, 1000, 1000])
  const table = await get('csv')
  t.equal(table.body.split('\r\n').length, 2502)
  t.match(table.body, /^\ufefftime,severity,service/)
})

t.test('an export ends early when its client loses access', async t => {
  const { app, urlOf, pageSizes } = await setUp(t, 5000)
  app.addHook('onRequest', async request => {
    request.hasAccess = async () => pageSizes.length < 2
  })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const response = await fetch(origin + urlOf('ndjson'))
  t.equal(response.status, 200)
  await t.rejects(response.text(), 'the client detects that the file is incomplete')
  t.same(pageSizes, [100, 1000])
})

t.test('rejects an invalid time range instead of exporting a different period', async t => {
  const { app } = await setUp(t, 1)
  const get = (query: string) => app.inject({ url: `/export?format=ndjson&${query}` })
  for (const query of [
    'range=today',
    'time=soon',
    'from=garbage',
    'to=2026-11-01',
    'from=2026-11-02&to=2026-11-01',
  ]) {
    const { statusCode, body } = await get(query)
    t.equal(statusCode, 400, query)
    t.match(body, /time range is invalid/, query)
  }
  for (const query of [
    '',
    'range=24h',
    'time=today',
    'from=2026-11-01T00:00:00Z',
    'from=2026-11-01T00:00:00+00:00&to=2026-11-02T00:00:00+00:00',
  ])
    t.equal((await get(query)).statusCode, 200, query)
})

t.test('limits the number of exported events', async t => {
  const { get } = await setUp(t, maxExportedEvents + 1)
  t.equal((await get('ndjson')).body.split('\n').length - 1, maxExportedEvents)
})

t.test('exports as many events if the store returns fewer per page, because they are large', async t => {
  const { get } = await setUp(t, maxExportedEvents + 1, { maxPageSize: 700 })
  t.equal((await get('ndjson')).body.split('\n').length - 1, maxExportedEvents)
})

t.test(
  'pages contain fewer events if the events are large, because a page stays in memory while the client reads',
  async t => {
    const { get, pageSizes } = await setUp(t, 150, { padding: 'x'.repeat(100_000) })
    t.equal((await get('ndjson')).body.split('\n').length - 1, 150)
    t.same(pageSizes, [100, 41, 41])
  },
)

t.test('a client that does not read is disconnected, and its slot is released', async t => {
  const limits = { ...exportLimits, maxReaders: 1, maxStallMs: 1 }
  const { app, urlOf, started } = await setUp(t, 100_000, { limits, padding: 'x'.repeat(100_000) })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const connected = once(app.server, 'connection')
  const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.pause())
  t.teardown(() => socket.destroy())
  socket.on('error', () => {})
  socket.write(`GET ${urlOf('csv')} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  const [serverSocket] = await connected
  await Promise.all([started, once(serverSocket, 'close')])
  // The next export may be disconnected for the same reason.
  t.not(await fetch(origin + urlOf('csv')).then(statusOf, () => 0), 503)
})

t.test(
  'the slot of a response that waits for an earlier one is released when the client disconnects',
  async t => {
    const { app, urlOf, started } = await setUp(t, 1, { limits: { ...exportLimits, maxReaders: 1 } })
    app.get('/endless', () => new Promise(() => {}))
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    const connected = once(app.server, 'connection')
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    t.teardown(() => socket.destroy())
    const requests = ['/endless', urlOf('csv')].map(url => `GET ${url} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    socket.write(requests.join(''))
    const [serverSocket] = await connected
    await started
    serverSocket.destroy()
    await once(serverSocket, 'close')
    t.equal(await fetch(origin + urlOf('csv')).then(statusOf), 200)
  },
)

t.test('by default, allows 20 exports, 5 per client address, and stalls of 30 seconds', async t => {
  t.same(exportLimits, {
    maxReaders: 20,
    maxReadersPerClient: 5,
    maxStallMs: 30_000,
    minStallMs: 1000,
    minTurnMs: Number.POSITIVE_INFINITY,
  })
})

t.test('limits the number of exports per client address and in total', async t => {
  // `minStallMs` is long, so that the first exports are not dropped as stalled on a slow machine.
  const limits = { ...exportLimits, maxReaders: 3, maxReadersPerClient: 2, minStallMs: 60_000 }
  const { app, urlOf } = await setUp(t, 100_000, { limits, padding: 'x'.repeat(100_000) })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const end = new AbortController()
  const responses: Response[] = []
  t.teardown(() => {
    end.abort()
    responses.length = 0
  })
  const statusFor = async (client: string) => {
    const init = { signal: end.signal, headers: { 'x-forwarded-for': client } }
    const response = await fetch(origin + urlOf('csv'), init)
    // `fetch` cancels the body of a response that is garbage-collected, which would free its slot.
    responses.push(response)
    t.equal(response.headers.has('retry-after'), response.status === 503)
    return response.status
  }
  t.equal(await statusFor('192.0.2.1'), 200)
  t.equal(await statusFor('192.0.2.1'), 200)
  t.equal(await statusFor('192.0.2.1'), 503)
  t.equal(await statusFor('192.0.2.2'), 200)
  t.equal(await statusFor('192.0.2.3'), 503)
})

t.test('rejects an invalid format or search, and responds with a message', async t => {
  const { get } = await setUp(t, 1)
  t.match((await get('xml')).json(), { message: /ndjson, csv/ })
  t.equal((await get('csv', 'status:(')).statusCode, 400)
})

t.test('CSV files have a further column for each attribute that the log shows', async t => {
  const attributes = {
    tenant: { id: 'acme', plan: { seats: 5 } },
    'order.total': 12.5,
    balance: -5,
    status: 'paid',
    unset: null,
    '=1+1': '=2+2',
  }
  const { app, urlOf } = await setUp(t, 1, { attributes })
  const bodyOf = async (format: ExportFormat, columns?: string, preferred?: string) => {
    const cookies = preferred === undefined ? {} : { [preferencesCookie]: `columns=${preferred}` }
    const query = columns === undefined ? '' : `&${new URLSearchParams({ columns })}`
    return (await app.inject({ url: urlOf(format) + query, cookies })).body
  }
  const added = async (columns?: string, preferred?: string) => {
    const [head = '', line = ''] = (await bodyOf('csv', columns, preferred)).match(/[^\n]*\n/g) ?? []
    t.equal(cellsOf(head)[18], 'attributes')
    t.same(JSON.parse(cellsOf(line)[18] ?? ''), attributes)
    return cellsOf(head)
      .slice(19)
      .map((name, index) => [name, cellsOf(line)[19 + index]])
  }
  t.same(await added(), [])
  t.same(await added('service,@tenant.id:90,@order.total,@balance,message,@tenant.plan,@unset,@absent'), [
    ['tenant.id', 'acme'],
    ['order.total', '12.5'],
    ['balance', '-5'],
    ['tenant.plan', '{"seats":5}'],
    ['unset', ''],
    ['absent', ''],
  ])
  t.same(await added(undefined, '@tenant.id'), [['tenant.id', 'acme']], 'the preferred columns')
  t.same(await added('service', '@tenant.id'), [], 'the columns of the URL replace the preferred ones')
  t.same(
    await added('@status,@attributes.status,@Time,@=1+1'),
    [
      ['attributes.status', 'paid'],
      ['attributes.attributes.status', ''],
      ['attributes.Time', ''],
      ["'=1+1", "'=2+2"],
    ],
    'names are unambiguous, and never formulas',
  )
  t.equal(await bodyOf('ndjson', '@tenant.id'), await bodyOf('ndjson'), 'NDJSON contains all attributes')
})

const event: fc.Arbitrary<LogEvent> = fc
  .record({
    body: fc.string(),
    service: fc.string({ minLength: 1, maxLength: 100 }),
    micros: fc.integer({ min: -2000, max: 2000 }),
  })
  .map(({ body, service, micros }) => ({
    ...anEvent({
      timeMs: (noonMs * 1000 + micros) / 1000,
      body,
      service,
      attributes: { user: { plan: 'pro' } },
    }),
    id: 1,
  }))

t.test('property: exported NDJSON can be ingested without loss', async () => {
  const build = { mapsFolder: '/a/b', chunks: [], serverFiles: [], version: '1' }
  const normalise = createNormalise(createClean([]), createFailures({ build }))
  fc.assert(
    fc.property(event, ({ id: _, ...each }) => {
      const ingested = normalise(JSON.parse(ndjsonLine({ ...each, id: 1 })), 'ndjson', noonMs)
      return (
        ingested.body === each.body && ingested.service === each.service && ingested.timeMs === each.timeMs
      )
    }),
  )
})

t.test('lines of NDJSON contain no control characters, because a terminal may interpret them', async t => {
  const body = '\u001b[2J \u009b31m \u009d0;title\u009c'
  const line = ndjsonLine({ ...anEvent({ body }), id: 1 })
  t.notMatch(line.trimEnd(), /\p{Cc}/u)
  t.match(JSON.parse(line), { message: body })
})

t.test('CSV injection: cells are never formulas, and every line has the full number of cells', async t => {
  const { line: csvLine } = csvTable([])
  for (const body of [
    '=1+1',
    '+cmd',
    '+43 1 234',
    '-2+3',
    '-2\n',
    '-2,5',
    '-a',
    '@sum',
    '\t=1',
    'a "quoted", text',
  ]) {
    const line = csvLine({ ...anEvent({ body }), id: 1 })
    t.notMatch(line, /(^|,)"?[=+@\t-]/, body)
  }
  for (const body of ['-3', '-12.5'])
    t.equal(cellsOf(csvLine({ ...anEvent({ body }), id: 1 }))[5], body, 'a number is not a formula')
  fc.assert(fc.property(event, each => cellsOf(csvLine(each)).length === 19))
  t.equal(
    cellsOf(csvLine({ ...anEvent({ timeMs: noonMs + 0.045 }), id: 1 }))[0],
    '2026-11-21T12:00:00.000045Z',
  )
  t.equal(cellsOf(csvLine({ ...anEvent({ body: 'a "b", c\r\nd' }), id: 1 }))[5], 'a "b", c\r\nd')
})

/** Parses a CSV line according to RFC 4180. */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(?:,|\r\n$)/g)].map(([, quoted, bare]) =>
    quoted === undefined ? String(bare) : quoted.replaceAll('""', '"'),
  )
}
