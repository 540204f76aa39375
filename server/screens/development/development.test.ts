import t from 'tap'
import type { EventRow, LogEvent } from '../../../shared/event.ts'
import type { FailureRow } from '../../../shared/failure.ts'
import { type Span, spanMs } from '../../../shared/range.ts'
import type { DevelopmentContent } from '../../../shared/screens/development.ts'
import type { Frame } from '../../../shared/stack.ts'
import type { Context } from '../../context.ts'
import { readConfig } from '../../settings/config.ts'
import type { EventQuery } from '../../store/event-store.ts'
import type { FailureQuery } from '../../store/failure-store.ts'
import type { Store } from '../../store/store.ts'
import { fakeContext, fakeRequest, testNowMs } from '../../testing/fake-context.ts'
import { development } from './development.ts'

const figures: FailureRow = {
  id: '0123456789',
  state: 'open',
  stateMs: null,
  resolved: null,
  returned: null,
  type: 'PaymentError',
  message: 'card declined',
  digests: ['2338471'],
  services: ['shop'],
  releases: ['1.4.0'],
  count: 2,
  firstSeenMs: testNowMs - 40 * 86_400_000 + 0.25,
  lastSeenMs: testNowMs - 1000.5,
  sparkline: [0, 2],
}

const event: LogEvent = {
  id: 7,
  timeMs: figures.lastSeenMs,
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
  fingerprint: figures.id,
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
  unmapped: null,
}

function rowOf({ exception, attributes, spanId, ...row }: LogEvent): EventRow {
  return { ...row, exceptionType: exception?.type ?? null }
}

/** A store that keeps one failure, of two occurrences: the newest without a stack. */
const store: Partial<Store> = {
  failure: async id => (id === figures.id ? figures : null),
  failureOfDigest: async digest => (digest === '2338471' ? figures.id : null),
  events: async () => ({ events: [rowOf(bare), rowOf(event)], older: null, newer: null }),
  event: async id => [event, bare].find(each => each.id === id) ?? null,
  failureReleases: async () => [{ release: '1.4.0', count: 2, firstSeenMs: 1, lastSeenMs: 2 }],
}
const failures: Context['failures'] = { ...fakeContext().failures, frames: async () => [frame] }

async function answerTo(
  query: string,
  overrides: Parameters<typeof fakeContext>[0] = {},
  range: Span = '1h',
) {
  const request = fakeRequest(query, { preferences: { ...fakeRequest().preferences, range } })
  const answer = await development.get(request, fakeContext({ store, failures, ...overrides }))
  if (answer.kind !== 'content') throw new Error('The workshop redirected')
  return answer
}

const contentOf = async (...args: Parameters<typeof answerTo>): Promise<DevelopmentContent> =>
  (await answerTo(...args)).content

t.test('failures are looked for in a day at least', async t => {
  t.same((await contentOf('')).range, { span: '24h' })
  t.same((await contentOf('', {}, '7d')).range, { span: '7d' })
  t.same((await contentOf('range=15m')).range, { span: '15m' })
})

t.test('failures are asked for in the order that the visitor chose', async t => {
  const asked: FailureQuery[] = []
  const listing: Partial<Store> = {
    failures: async question => {
      asked.push(question)
      return Array.from({ length: question.limit }, (_, index) => ({ ...figures, id: `${index}` }))
    },
  }
  const content = await contentOf('sort=frequent&range=7d', { store: listing })
  await contentOf('sort=loudest', { store: listing })
  t.match(asked, [{ sort: 'frequent', window: content.window }, { sort: 'newest' }])
  t.equal(content.failures.length, 50)
  t.equal(content.more, true)
  t.ok(content.window.toMs - content.window.fromMs <= spanMs['7d'])
})

t.test('the open failures are listed, unless the visitor asks for others', async t => {
  const asked: (string | null)[] = []
  const listing: Partial<Store> = {
    failures: async ({ state }) => {
      asked.push(state)
      return []
    },
    failureCounts: async () => ({
      open: { failures: 3, occurrences: 9 },
      resolved: { failures: 2, occurrences: 9 },
      muted: { failures: 1, occurrences: 9 },
    }),
  }
  const content = await contentOf('', { store: listing })
  t.match(content, { state: 'open', states: { open: 3, resolved: 2, muted: 1 } })
  for (const state of ['resolved', 'muted', 'all', 'nonsense']) {
    await contentOf(`state=${state}`, { store: listing })
  }
  t.same(asked, ['open', 'resolved', 'muted', null, 'open'])
})

t.test('a failure tells whom it met, its days in the visitor’s zone, its notes and releases', async t => {
  const notes = [{ id: 'n1', writtenMs: 1, text: 'Known' }]
  const reach = { occurrences: 2, requests: 1, withoutRequest: 1, users: 0, withoutUser: 2 }
  let window = { fromMs: 0, toMs: 0 }
  const context = fakeContext({
    store: {
      ...store,
      failureReach: async () => reach,
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
  const answer = await development.get(fakeRequest('failure=0123456789', { preferences }), context)
  if (answer.kind !== 'content') throw new Error('The workshop redirected')
  const { selected } = answer.content
  t.match(selected, { reach, notes, knownReleases: ['1.5.0'], noteForm: { problem: null } })
  t.match(selected?.perDay.html, />9</)
  // 14:03 UTC is 19:48 there.
  t.equal(window.fromMs, Date.UTC(2026, 10, 20, 18, 15) - 29 * 86_400_000)
  t.equal(window.toMs, testNowMs)
})

t.test('where the clocks change, a day is an hour longer, and has what happened in it', async t => {
  // Zurich leaves summer time on 2026-10-25, 27 days before today.
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
  const answer = await development.get(fakeRequest('failure=0123456789', { preferences }), context)
  const html = answer.kind === 'content' ? (answer.content.selected?.perDay.html ?? '') : ''
  for (const [day, count] of [
    ['10-24', 1],
    ['10-25', 2],
    ['10-26', 1],
    ['10-27', 0],
  ] as const)
    t.match(html, `${day}</a></th><td class="num">${count}</td>`)
})

t.test('shows a failure by its id, and by a digest', async t => {
  for (const query of ['failure=0123456789', 'digest=2338471', 'digest=+2338471+']) {
    const { status, title, content } = await answerTo(query)
    t.equal(status, undefined)
    t.equal(title, 'PaymentError')
    t.match(content, { missing: null, selected: { id: '0123456789', frames: [frame] } })
  }
})

t.test('occurrences are looked for in all that is kept, not in the range alone', async t => {
  const asked: EventQuery[] = []
  const page = { events: [], older: null, newer: null }
  const events: Store['events'] = async question => {
    asked.push(question)
    return page
  }
  await contentOf('failure=0123456789&range=15m', { store: { ...store, events } })
  const [{ window } = { window: { fromMs: 0, toMs: 0 } }] = asked
  t.ok(window.fromMs <= figures.firstSeenMs && figures.lastSeenMs < window.toMs)
  t.match(asked, [{ query: { kind: 'field', field: 'failure', value: '0123456789' } }])
})

t.test('the newest occurrence is in full, the stack is of the newest that has one', async t => {
  const { selected } = await contentOf('digest=2338471')
  t.same(selected?.latest, bare)
  t.equal(selected?.stack, event.exception?.stack)
})

t.test('by a digest the page is of the visitor who saw it, not of who came last', async t => {
  const others = { ...rowOf(event), id: 99, digest: '111111', requestId: 'another' }
  const events: Store['events'] = async ({ query }) => ({
    events: query.kind === 'and' ? [rowOf(event)] : [others, rowOf(event)],
    older: null,
    newer: null,
  })
  const one = await contentOf('digest=2338471', { store: { ...store, events } })
  t.match(one.selected, { ofDigest: '2338471', latest: { id: event.id }, digests: ['2338471'] })
  t.same(
    one.selected?.occurrences.map(({ id }) => id),
    [event.id],
  )
  const all = await contentOf('failure=0123456789', { store: { ...store, events } })
  t.match(all.selected, { ofDigest: null, occurrences: [{ id: 99 }, { id: event.id }] })
})

t.test('what no kept event has is said, with status 404', async t => {
  for (const kind of ['failure', 'digest'] as const) {
    const { status, content } = await answerTo(`${kind}=${encodeURIComponent('no <such>')}`)
    t.equal(status, 404)
    t.match(content, { selected: null, missing: { kind, value: 'no <such>' } })
  }
  t.equal((await answerTo('digest=')).status, undefined)
  // The digest's failure may have been dropped in between.
  const dropped = { ...store, failure: async () => null }
  t.match((await answerTo('digest=2338471', { store: dropped })).content, {
    missing: { kind: 'digest', value: '2338471' },
  })
})

t.test('redirects from another fingerprint of a failure to its id', async t => {
  const failureId = async (fingerprint: string) => (fingerprint === 'other' ? figures.id : fingerprint)
  const context = fakeContext({ store: { ...store, failureId }, failures })
  const request = fakeRequest('failure=other&sort=frequent&state=all&range=7d')
  t.same(await development.get(request, context), {
    kind: 'redirect',
    location: '/development?failure=0123456789&sort=frequent&state=all&range=7d',
  })
  t.match(await development.get(fakeRequest('failure=0123456789'), context), { kind: 'content' })
  t.match(await development.get(fakeRequest('failure=lost'), context), { status: 404 })
})

t.test('what was not found is said with how far back and of whom events are kept', async t => {
  const { content } = await answerTo('digest=1', {
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
      lastSeen: async () => [
        ...Array.from({ length: 12 }, (_, index) => ({
          service: `s${index}`,
          source: 'ndjson',
          lastSeenMs: index,
        })),
        { service: 's0', source: 'otlp', lastSeenMs: 99 },
      ],
    },
  })
  const kept = content.missing?.kept
  t.match(kept, { maxAgeMs: 7 * 86_400_000, oldestMs: 5 })
  t.same(kept?.services.slice(0, 2), [
    { service: 's0', lastSeenMs: 99 },
    { service: 's11', lastSeenMs: 11 },
  ])
  t.equal(kept?.services.length, 10)
})

t.test('a password is named where one is asked for, and never shown', async t => {
  const config = readConfig({ SIXPANE_PASSWORD: 'correct horse' })
  const closed = JSON.stringify((await contentOf('', { config })).connect)
  t.match(closed, 'SIXPANE_PASSWORD')
  t.notMatch(closed, 'correct horse')
  const open = JSON.stringify((await contentOf('')).connect)
  t.notMatch(open, 'SIXPANE_PASSWORD')
  t.match(open, 'http://console.example/ingest')
})

t.test('the drill is offered where it is enabled', async t => {
  t.equal((await contentOf('')).drill, null)
  const { drill } = await contentOf('', { config: readConfig({ SIXPANE_DRILL: '1' }) })
  t.same(
    drill?.map(({ href }) => href),
    ['content', 'render', 'late', 'client'].map(way => `/development?drill=${way}`),
  )
})
