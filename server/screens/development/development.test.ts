import t from 'tap'
import type { EventRow, LogEvent, NewEvent } from '../../../shared/event.ts'
import type { FailureRow } from '../../../shared/failure.ts'
import { type Span, spanLengthMs, type Window } from '../../../shared/range.ts'
import type { DevelopmentFailures, FailureDetail } from '../../../shared/screens/development.ts'
import type { Frame } from '../../../shared/stack.ts'
import type { Role } from '../../../shared/user.ts'
import { createToken, dsnKeyOf, hashOfToken } from '../../auth/tokens.ts'
import type { Context } from '../../context.ts'
import { readConfig } from '../../settings/config.ts'
import { noCounts } from '../../store/common/failure-list.ts'
import { anEvent } from '../../store/conformance/testing.ts'
import type { EventQuery } from '../../store/event-store.ts'
import type { FailureQuery } from '../../store/failure-store.ts'
import { openMemoryStore } from '../../store/memory/store.ts'
import type { Store } from '../../store/store.ts'
import type { Token } from '../../store/token-store.ts'
import { fakeContext, fakeRequest, testNowMs } from '../../testing/fake-context.ts'
import type { ScreenResponse } from '../screen.ts'
import { development } from './development.ts'

const failureRow: FailureRow = {
  id: '0123456789',
  state: 'open',
  stateMs: null,
  mutedUntilMs: null,
  resolved: null,
  returned: null,
  type: 'PaymentError',
  message: 'card declined',
  route: null,
  release: null,
  digests: ['2338471'],
  digestCount: 1,
  services: ['shop'],
  serviceCount: 1,
  count: 2,
  firstSeenMs: testNowMs - 40 * 86_400_000 + 0.25,
  lastSeenMs: testNowMs - 1000.5,
  sparkline: [0, 2],
}

const event: LogEvent = {
  id: 7,
  timeMs: failureRow.lastSeenMs,
  severity: 'error',
  service: 'shop',
  release: '1.4.0',
  source: 'ndjson',
  body: 'payment failed',
  requestId: 'r1',
  traceId: null,
  spanId: null,
  method: 'POST',
  route: '/pay',
  status: null,
  durationMs: null,
  exception: {
    type: 'PaymentError',
    message: 'card declined',
    stack: 'PaymentError: card declined\n    at pay',
  },
  digest: '2338471',
  fingerprint: failureRow.id,
  attributes: {},
}
const bare: LogEvent = { ...event, id: 8, exception: null }
const frame: Frame = {
  functionName: 'pay',
  file: 'pay.ts',
  line: 1,
  column: 1,
  inApp: true,
  code: null,
  cause: null,
  unmapped: null,
}

function rowOf({ exception, attributes, spanId, ...row }: LogEvent): EventRow {
  return { ...row, exceptionType: exception?.type ?? null, exceptionMessage: exception?.message ?? null }
}

/** A store with one failure and two occurrences. The newest occurrence has no stack. */
const store: Partial<Store> = {
  failure: async id => (id === failureRow.id ? failureRow : null),
  failuresOfDigest: async digest => (digest === '2338471' ? [failureRow.id] : []),
  events: async () => ({ events: [rowOf(bare), rowOf(event)], older: null, newer: null }),
  event: async id => [event, bare].find(each => each.id === id) ?? null,
  failureReleases: async () => ({
    releases: [{ release: '1.4.0', count: 2, firstSeenMs: 1, lastSeenMs: 2 }],
    omitted: 7,
  }),
}
const failures: Context['failures'] = { ...fakeContext().failures, frames: async () => [frame] }

async function respondTo(
  query: string,
  overrides: Parameters<typeof fakeContext>[0] = {},
  range: Span = '1h',
) {
  const request = fakeRequest(query, { preferences: { ...fakeRequest().preferences, range } })
  const response = await development.get(request, fakeContext({ store, failures, ...overrides }))
  if (response.kind !== 'content') throw new Error('The screen returned a redirect')
  return response
}

async function contentOf(...args: Parameters<typeof respondTo>): Promise<DevelopmentFailures> {
  return failuresOf(await respondTo(...args))
}

/** Returns the one failure that the page shows. */
async function failureOf(...args: Parameters<typeof respondTo>): Promise<FailureDetail> {
  return shownFailure(await respondTo(...args))
}

function shownFailure(response: ScreenResponse<'development'>): FailureDetail {
  if (response.kind !== 'content' || response.content.view !== 'failure')
    throw new Error('The page shows no failure')
  return response.content.failure
}

function failuresOf(response: ScreenResponse<'development'>): DevelopmentFailures {
  if (response.kind !== 'content' || response.content.view !== 'failures')
    throw new Error('The page shows no failures')
  return response.content
}

t.test('the default range is at least a day', async t => {
  t.same((await contentOf('')).range, { span: '24h' })
  t.same((await contentOf('', {}, '7d')).range, { span: '7d' })
  t.same((await contentOf('range=15m')).range, { span: '15m' })
})

t.test("a browser's redacted copy of the failure does not replace the server's stack", async t => {
  const redacted: LogEvent = {
    ...event,
    id: 9,
    source: 'browser',
    exception: { type: 'Error', message: 'Minified React error #441', stack: null },
  }
  const listing = (rows: LogEvent[], others: LogEvent[]): Partial<Store> => ({
    ...store,
    events: async ({ query }) => {
      const excludes = JSON.stringify(query).includes('"not"')
      return { events: (excludes ? others : rows).map(rowOf), older: null, newer: null }
    },
    event: async id => [event, redacted].find(each => each.id === id) ?? null,
  })
  for (const [rows, others] of [
    [[redacted, event], []],
    [[redacted], [event]],
  ] as const) {
    const shown = await failureOf('failure=0123456789', { store: listing([...rows], [...others]) })
    t.match(shown, {
      stack: event.exception?.stack,
      stackOccurrence: { id: event.id, timeMs: event.timeMs, release: '1.4.0' },
      latest: { id: redacted.id },
    })
  }
  const shown = await failureOf('failure=0123456789', { store: listing([redacted], []) })
  t.match(shown, { stack: null, stackOccurrence: null, latest: { id: redacted.id } })
})

t.test(
  'shows the stack of an occurrence with the requested digest, or says that it has another one',
  async t => {
    const thrown = (digest: string, timeMs: number): NewEvent => {
      const exception = {
        type: 'PaymentError',
        message: digest,
        stack: `PaymentError: ${digest}\n    at pay`,
      }
      return anEvent({ timeMs: testNowMs + timeMs, digest, fingerprint: 'f', exception })
    }
    const reports = Array.from({ length: 20 }, (_, index) =>
      anEvent({ timeMs: testNowMs - 100 + index, digest: 'd1', fingerprint: 'f', source: 'browser' }),
    )
    const shownFrom = async (events: NewEvent[]) => {
      const memory = openMemoryStore()
      await memory.append(events)
      return failureOf('failure=f&digest=d1', { store: memory })
    }
    const newer = thrown('d2', -50)
    const found = await shownFrom([thrown('d1', -200), ...reports, newer])
    t.match(found, { shownDigest: 'd1', stack: /^PaymentError: d1/, hasStackOfOtherDigest: false })
    const other = await shownFrom([...reports, newer])
    t.match(other, { shownDigest: 'd1', stack: /^PaymentError: d2/, hasStackOfOtherDigest: true })
    const none = await shownFrom(reports)
    t.match(none, { shownDigest: 'd1', stack: null, stackOccurrence: null, hasStackOfOtherDigest: false })
  },
)

t.test('a digest whose events are now in other failures leads to one of them', async t => {
  const memory = openMemoryStore()
  const occurrence = (fingerprint: string, digest: string | null) =>
    anEvent({ timeMs: testNowMs - 1000, fingerprint, digest })
  await memory.append([occurrence('f', 'd1'), occurrence('g', 'd2'), occurrence('h', 'd2')])
  const get = (query: string) => development.get(fakeRequest(query), fakeContext({ store: memory, failures }))
  for (const query of ['failure=f&digest=d2&state=all', 'failure=gone&digest=d2&state=all'])
    t.same(await get(query), { kind: 'redirect', location: '/development?failure=h&digest=d2&state=all' })
  t.match(shownFailure(await get('failure=f&digest=d2&done=resolved')), { id: 'f' }, 'the response to a form')
  t.match(shownFailure(await get('failure=g&digest=d2')), {
    id: 'g',
    shownDigest: 'd2',
    missingDigest: null,
    othersWithDigest: [{ id: 'h' }],
  })
  t.match(shownFailure(await get('failure=f&digest=D1')), { shownDigest: 'D1', missingDigest: null })
  t.match(shownFailure(await get('failure=f&digest=')), { shownDigest: null, missingDigest: null })
  t.match(
    shownFailure(await get('failure=f&digest=expired')),
    { id: 'f', shownDigest: null, missingDigest: 'expired', othersWithDigest: [] },
    'a digest without stored events is reported',
  )
  t.match(await get('failure=gone&digest=expired'), { status: 404 })
  // Only the first ten failures with a digest are looked up.
  await memory.append(Array.from({ length: 11 }, (_, index) => occurrence(`many${index}`, 'd3')))
  t.match(shownFailure(await get('failure=many0&digest=d3')), { id: 'many0', shownDigest: 'd3' })
  const beside = shownFailure(await get('failure=f&digest=d3'))
  t.match(beside, { id: 'f', shownDigest: null, missingDigest: 'd3' })
  t.equal(beside.othersWithDigest.length, 10)
})

t.test('sorts failures as requested', async t => {
  const queries: FailureQuery[] = []
  const listing: Partial<Store> = {
    failures: async query => {
      queries.push(query)
      return { failures: [], counts: noCounts(), services: [] }
    },
  }
  const content = await contentOf('sort=frequent&range=7d', { store: listing })
  await contentOf('sort=loudest', { store: listing })
  t.match(queries, [{ sort: 'frequent', window: content.window }, { sort: 'newest' }])
  t.ok(content.window.toMs - content.window.fromMs >= spanLengthMs('7d'))
})

t.test('lists each failure on exactly one page', async t => {
  const all = Array.from({ length: 101 }, (_, index) => ({ ...failureRow, id: `${index}` }))
  const counts = { ...noCounts(), muted: { failures: 101, occurrences: 202 } }
  const listing: Partial<Store> = {
    failures: async ({ limit, offset = 0 }) => ({
      failures: all.slice(offset, offset + limit),
      counts,
      services: [],
    }),
  }
  const pageOf = (query: string) => contentOf(query, { store: listing })
  const pages = [
    await pageOf('state=muted'),
    await pageOf('state=muted&page=2'),
    await pageOf('state=all&page=3'),
  ]
  t.match(pages, [
    { page: 1, first: 1, total: 101 },
    { page: 2, first: 51, total: 101 },
    { page: 3, first: 101, total: 101 },
  ])
  t.strictSame(
    pages.flatMap(({ failures }) => failures),
    all,
  )
  for (const [page, number] of [
    ['99', 3],
    ['0', 1],
    ['-1', 1],
    ['1e9', 1],
    ['two', 1],
  ] as const)
    t.match(
      await pageOf(`state=muted&page=${page}`),
      { page: number, failures: all.slice(50 * (number - 1), 50 * number) },
      page,
    )
  counts.muted.failures = 0
  all.length = 0
  t.match(await pageOf('state=muted&page=2'), { page: 1, failures: [], total: 0 })
})

t.test('lists open failures unless another state is requested', async t => {
  const queries: (string | null)[] = []
  const listing: Partial<Store> = {
    failures: async ({ state }) => {
      queries.push(state)
      const counts = {
        open: { failures: 3, occurrences: 9 },
        resolved: { failures: 2, occurrences: 9 },
        muted: { failures: 1, occurrences: 9 },
      }
      return { failures: [], counts, services: [] }
    },
  }
  const content = await contentOf('', { store: listing })
  t.match(content, { state: 'open', states: { open: 3, resolved: 2, muted: 1 } })
  for (const state of ['resolved', 'muted', 'all', 'nonsense']) {
    await contentOf(`state=${state}`, { store: listing })
  }
  t.same(queries, ['open', 'resolved', 'muted', null, 'open'])
})

t.test(
  'a failure includes its impact, occurrences per day in the visitor’s time zone, notes and releases',
  async t => {
    const notes = [{ id: 'n1', writtenMs: 1, text: 'Known' }]
    const impact = { occurrences: 2, requests: 1, withoutRequest: 1, users: 0, withoutUser: 2 }
    let window = { fromMs: 0, toMs: 0 }
    const context = fakeContext({
      store: {
        ...store,
        failureImpact: async () => impact,
        failureStates: { ...fakeContext().store.failureStates, notes: async () => notes },
        releases: async () => [
          { service: 'shop', release: '1.5.0', firstSeenMs: 2 },
          { service: 'api', release: '1.5.0', firstSeenMs: 1 },
        ],
        histogram: async filter => {
          window = filter.window
          return [
            { startMs: window.fromMs, counts: { trace: 0, debug: 0, info: 0, warn: 1, error: 7, fatal: 1 } },
          ]
        },
      },
    })
    const preferences = { ...fakeRequest().preferences, timeZone: 'Asia/Kathmandu' }
    const response = await development.get(fakeRequest('failure=0123456789', { preferences }), context)
    const shown = shownFailure(response)
    t.match(shown, { impact, notes, knownReleases: ['1.5.0'], noteForm: { problem: null } })
    t.match(shown.chart.html, />9</)
    // 14:03 UTC is 19:48 in Kathmandu.
    t.equal(window.fromMs, Date.UTC(2026, 10, 20, 18, 15) - 29 * 86_400_000)
    const { lastSeenMs } = failureRow
    t.ok(window.toMs > lastSeenMs && window.toMs <= lastSeenMs + 1, 'ends with the last occurrence')
  },
)

t.test('counts all occurrences of the 25-hour day when daylight saving time ends', async t => {
  // In Zurich, daylight saving time ends on 2026-10-25, 27 days before today.
  const instants = [
    '2026-10-24T21:59:00Z',
    '2026-10-24T22:00:00Z',
    '2026-10-25T22:59:00Z',
    '2026-10-25T23:00:00Z',
  ]
  const none = { trace: 0, debug: 0, info: 0, warn: 0, fatal: 0 }
  const context = fakeContext({
    store: {
      ...store,
      histogram: async ({ window }, bucketMs) =>
        instants.map(instant => ({
          startMs: window.fromMs + Math.floor((Date.parse(instant) - window.fromMs) / bucketMs) * bucketMs,
          counts: { ...none, error: 1 },
        })),
    },
  })
  const preferences = { ...fakeRequest().preferences, timeZone: 'Europe/Zurich' }
  const response = await development.get(fakeRequest('failure=0123456789', { preferences }), context)
  const html = shownFailure(response).chart.html
  for (const [day, count] of [
    ['Oct 24', 1],
    ['Oct 25', 2],
    ['Oct 26', 1],
    ['Oct 27', 0],
  ] as const)
    t.match(html, `${day}</a></th><td class="num">${count}</td>`)
})

t.test("bars in a recent failure's chart cover minutes or hours, and count all occurrences", async t => {
  const minuteMs = 60_000
  for (const { ageMs, bucketMs } of [
    { ageMs: 20_000, bucketMs: minuteMs },
    { ageMs: 2 * 60 * minuteMs, bucketMs: 5 * minuteMs },
    { ageMs: 6 * 86_400_000, bucketMs: 6 * 60 * minuteMs },
  ]) {
    const asked: number[] = []
    const firstSeenMs = testNowMs - ageMs
    const none = { trace: 0, debug: 0, info: 0, warn: 0, fatal: 0 }
    const overrides = {
      store: {
        ...store,
        failure: async () => ({ ...failureRow, firstSeenMs }),
        histogram: async ({ window }: { window: Window }, eachMs: number) => {
          asked.push(eachMs)
          t.ok(window.fromMs <= firstSeenMs && window.fromMs % eachMs === 0)
          return [
            { startMs: window.fromMs, counts: { ...none, error: 3 } },
            { startMs: Math.floor(testNowMs / eachMs) * eachMs, counts: { ...none, error: 4 } },
          ]
        },
      },
    }
    const { html } = (await failureOf('failure=0123456789', overrides)).chart
    t.same(asked, [bucketMs])
    t.match(html, '>3</td>')
    t.match(html, '>4</td>')
  }
})

t.test('scans again before showing a resolved failure that has recurred', async t => {
  const resolved = { release: null, atMs: failureRow.lastSeenMs - 1 }
  const stored: FailureRow = { ...failureRow, state: 'resolved', resolved }
  const returned: FailureRow = { ...stored, state: 'open', returned: { release: '2', atMs: testNowMs } }
  let isScanned = false
  const shown = await failureOf('failure=0123456789', {
    store: { ...store, failure: async () => (isScanned ? returned : stored) },
    failureMonitor: {
      scan: async () => {
        isScanned = true
      },
    },
  })
  t.match(shown, { state: 'open', returned: { release: '2' } })
  isScanned = false
  const quiet = { ...stored, resolved: { release: null, atMs: testNowMs } }
  await failureOf('failure=0123456789', { store: { ...store, failure: async () => quiet } })
  t.notOk(isScanned)
})

t.test('shows a failure by id or digest', async t => {
  for (const query of ['failure=0123456789', 'digest=2338471', 'digest=+2338471+']) {
    const { status, title, content } = await respondTo(query)
    t.equal(status, undefined)
    t.equal(title, 'PaymentError')
    t.match(content, { view: 'failure', failure: { id: '0123456789', frames: [frame] } })
  }
})

t.test('searches all stored events for occurrences, not only those in the range', async t => {
  const queries: EventQuery[] = []
  const page = { events: [], older: null, newer: null }
  const events: Store['events'] = async query => {
    queries.push(query)
    return page
  }
  await failureOf('failure=0123456789&range=15m', { store: { ...store, events } })
  const [{ window } = { window: { fromMs: 0, toMs: 0 } }] = queries
  t.ok(window.fromMs <= failureRow.firstSeenMs && failureRow.lastSeenMs < window.toMs)
  t.match(queries, [{ query: { kind: 'field', field: 'failure', value: '0123456789' } }])
})

t.test('shows the newest occurrence and the newest stack', async t => {
  const shown = await failureOf('digest=2338471')
  t.same(shown.latest, bare)
  t.equal(shown.stack, event.exception?.stack)
})

t.test('the newest occurrence has only the attributes that the page does not show elsewhere', async t => {
  const attributes = { breadcrumbs: ['home', 'cart'], sourceLines: 12, sku: 'A1' }
  for (const [source, shown] of [
    ['sentry', { sku: 'A1' }],
    ['otlp', attributes],
  ] as const) {
    const occurrence: LogEvent = { ...bare, source, attributes }
    const overrides = { store: { ...store, event: async () => occurrence } }
    const { latest } = await failureOf('failure=0123456789', overrides)
    t.same(latest?.attributes, shown, source)
  }
})

t.test('a digest selects its occurrence, not the newest one', async t => {
  const others = { ...rowOf(event), id: 99, digest: '111111', requestId: 'another' }
  const events: Store['events'] = async ({ query }) => ({
    events: query.kind === 'and' ? [rowOf(event)] : [others, rowOf(event)],
    older: null,
    newer: null,
  })
  const one = await failureOf('digest=2338471', { store: { ...store, events } })
  t.match(one, { shownDigest: '2338471', latest: { id: event.id }, digests: ['2338471'] })
  t.same(
    one.occurrences.map(({ id }) => id),
    [event.id],
  )
  const all = await failureOf('failure=0123456789', { store: { ...store, events } })
  t.match(all, { shownDigest: null, occurrences: [{ id: 99 }, { id: event.id }] })
})

t.test('responds with status 404 if no stored event has the digest or fingerprint', async t => {
  for (const kind of ['failure', 'digest'] as const) {
    const { status, content } = await respondTo(`${kind}=${encodeURIComponent('no <such>')}`)
    t.equal(status, 404)
    t.match(content, { view: 'failures', missing: { kind, value: 'no <such>' } })
  }
  t.equal((await respondTo('digest=')).status, undefined)
  // Retention may delete the failure between the two queries.
  const dropped = { ...store, failure: async () => null }
  t.match((await respondTo('digest=2338471', { store: dropped })).content, {
    missing: { kind: 'digest', value: '2338471' },
  })
})

t.test('a digest in the filter opens its failure', async t => {
  const context = fakeContext({ store, failures })
  const pasted = `Application error: ${'a server-side exception has occurred '.repeat(10)}. Digest: 2338471`
  for (const text of ['2338471', 'Digest: 2338471', pasted]) {
    const request = fakeRequest(`${new URLSearchParams({ q: text })}&state=all&range=7d`)
    t.same(await development.get(request, context), {
      kind: 'redirect',
      location: '/development?failure=0123456789&digest=2338471&state=all&range=7d',
    })
  }
  t.equal((await failureOf('failure=0123456789&q=2338471')).id, '0123456789')
  t.match(await respondTo('digest=1&q=2338471'), { status: 404 })
})

t.test('an unknown digest in the filter shows hints, unless a failure matches the text', async t => {
  const missing = { kind: 'digest', value: '2338472' }
  const page = await respondTo('q=Digest: 2338472')
  t.equal(page.status, undefined)
  t.match(page.content, { text: 'Digest: 2338472', missing })
  t.match(await contentOf(`q=${'the server failed '.repeat(20)} Digest: 2338472`), { missing })
  t.equal((await contentOf('q=no such text')).missing, null)
  const list = { failures: [failureRow], counts: noCounts(), services: [] }
  const matching: Partial<Store> = { ...store, failures: async () => list }
  t.equal((await contentOf('q=2338472', { store: matching })).missing, null)
})

t.test("a URL with another fingerprint of a failure redirects to the failure's id", async t => {
  const failureId = async (fingerprint: string) => (fingerprint === 'other' ? failureRow.id : fingerprint)
  const context = fakeContext({ store: { ...store, failureId }, failures })
  const request = fakeRequest('failure=other&sort=frequent&state=all&range=7d')
  t.same(await development.get(request, context), {
    kind: 'redirect',
    location: '/development?failure=0123456789&sort=frequent&state=all&range=7d',
  })
  t.match(await development.get(fakeRequest('failure=0123456789'), context), { kind: 'content' })
  t.match(await development.get(fakeRequest('failure=lost'), context), { status: 404 })
})

t.test('a failed lookup shows the retention period and the most recently active services', async t => {
  const { missing } = await contentOf('digest=1', {
    config: readConfig({ SIXPANE_RETENTION_DAYS: '7' }),
    store: {
      stats: async () => ({
        events: 1,
        diskBytes: 1,
        oldestMs: 5,
        damagedFiles: [],
        queries: 0,
        queriesMs: 0,
      }),
      seenSources: async () => [
        ...Array.from({ length: 12 }, (_, index) => ({
          service: `s${index}`,
          source: 'ndjson',
          firstSeenMs: 0,
          lastSeenMs: index,
        })),
        { service: 's0', source: 'otlp', firstSeenMs: 0, lastSeenMs: 99 },
      ],
    },
  })
  const hints = missing?.hints
  t.match(hints, { maxAgeMs: 7 * 86_400_000, oldestMs: 5, isLimited: false })
  t.same(hints?.services.slice(0, 2), [
    { service: 's0', lastSeenMs: 99 },
    { service: 's11', lastSeenMs: 11 },
  ])
  t.equal(hints?.services.length, 10)
})

t.test('snippets mention a required token, but never contain a secret', async t => {
  const config = readConfig({ SIXPANE_PASSWORD: 'correct horse' })
  const closed = JSON.stringify((await respondTo('view=connect', { config })).content)
  t.match(closed, 'SIXPANE_TOKEN')
  t.notMatch(closed, 'correct horse')
  const open = JSON.stringify((await respondTo('view=connect')).content)
  t.notMatch(open, 'SIXPANE_TOKEN')
  t.match(open, 'http://console.example/ingest')
})

t.test(
  'shows the key of each valid token to everyone who may send events, but neither token nor hash',
  async t => {
    const config = readConfig({ SIXPANE_PASSWORD: 'correct horse' })
    const tokens: Pick<Token, 'name' | 'expiresMs'>[] = [
      { name: 'shop', expiresMs: null },
      { name: 'web', expiresMs: testNowMs + 1 },
      { name: 'expired', expiresMs: testNowMs },
    ]
    const context = fakeContext()
    const secrets = await Promise.all(
      tokens.map(async (token, index) => {
        const access = { ...token, scopes: ['ingest'], services: null } as const
        return (await createToken(access, context.store.tokens, testNowMs + index)).secret
      }),
    )
    const [shopKey = '', webKey = '', expiredKey = ''] = secrets.map(secret => dsnKeyOf(hashOfToken(secret)))
    const shownTo = async (role: Role) => {
      const user = { name: null, role, services: null }
      const request = fakeRequest('view=connect', { user })
      return JSON.stringify(await development.get(request, { ...context, config }))
    }
    const text = await shownTo('member')
    t.match(text, `export SENTRY_DSN='http://${webKey}@console.example/my-service/1'`)
    t.match(text, `The key is from the token “web”. Keys of other tokens: “shop” ${shopKey}.`)
    t.notMatch(text, expiredKey)
    for (const secret of secrets) {
      t.notMatch(text, secret)
      t.notMatch(text, hashOfToken(secret))
    }
    const forViewer = await shownTo('viewer')
    t.notMatch(forViewer, webKey)
    t.match(forViewer, 'Ask an administrator for the key of a token')

    const withoutTokens = await respondTo('view=connect', { config })
    t.match(JSON.stringify(withoutTokens.content), 'Create a token in the settings')
    const open = JSON.stringify((await respondTo('view=connect')).content)
    t.match(open, "export SENTRY_DSN='http://sixpane@console.example/my-service/1'")
  },
)

t.test('links to the drills only if they are enabled', async t => {
  t.same((await respondTo('view=drill')).content, { view: 'drill', drill: null })
  const { content } = await respondTo('view=drill', { config: readConfig({ SIXPANE_DRILL: '1' }) })
  t.match(content, {
    drill: ['content', 'render', 'late', 'client'].map(way => ({ href: `/development?drill=${way}` })),
  })
})

t.test('pages that show no failures do not query failures', async t => {
  const fail = async () => {
    throw new Error('Not needed')
  }
  const store: Partial<Store> = { failures: fail, failureCounts: fail, failure: fail }
  t.match(await respondTo('view=build', { store }), {
    title: 'Build',
    content: { build: { version: '0.1.0' } },
  })
  t.match(await respondTo('view=nothing'), { content: { view: 'failures' } })
})
