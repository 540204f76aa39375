import t from 'tap'
import type { EventRow, LogEvent } from '../../../shared/event.ts'
import type { SavedSearch } from '../../../shared/saved-search.ts'
import { aFailure } from '../../../shared/testing/a-failure.ts'
import { cursorOf } from '../../store/common/cursor.ts'
import { openMemoryStore } from '../../store/memory/store.ts'
import type { Store } from '../../store/store.ts'
import { fakeContext, fakeRequest, testNowMs } from '../../testing/fake-context.ts'
import { activities } from './activities.ts'
import { handleActivitiesForm } from './activities-actions.ts'
import { viewOf } from './log-view.ts'

const event: LogEvent = {
  id: 7,
  timeMs: testNowMs - 1000,
  severity: 'error',
  service: 'shop',
  release: '1.4.0',
  source: 'ndjson',
  body: 'checkout failed',
  requestId: null,
  traceId: null,
  spanId: null,
  method: null,
  route: null,
  status: null,
  durationMs: null,
  exception: null,
  digest: '2338471',
  fingerprint: 'a41c09be72',
  attributes: {},
}
const row: EventRow = { ...event, exceptionType: null, exceptionMessage: null }

const failure = aFailure({ firstSeenMs: testNowMs, lastSeenMs: testNowMs })

/** Adds `counts`, which calls `histogram` and `facets`. */
function withCounts(store: Partial<Store>): Partial<Store> {
  const { histogram = async () => [], facets = async () => [] } = store
  return {
    counts: async (filter, bucketMs, fields, limit) => ({
      histogram: await histogram(filter, bucketMs),
      facets: await facets(filter, fields, limit),
      bySeverity:
        filter.wider === undefined
          ? null
          : ((await facets({ ...filter, query: filter.wider }, ['severity'], limit))[0]?.values ?? []),
    }),
    ...store,
  }
}

const visit = (q: string, store: Partial<Store> = {}, rest = '') =>
  activities.get(fakeRequest(`q=${encodeURIComponent(q)}${rest}`), fakeContext({ store: withCounts(store) }))

async function contentOf(...parameters: Parameters<typeof visit>) {
  const response = await visit(...parameters)
  if (response.kind !== 'content') throw new Error('Expected content')
  return response.content
}

t.test('a known digest redirects to its failure', async t => {
  const failuresOfDigest = async (digest: string) =>
    digest.startsWith('2338471') || digest === 'ref-4711' ? ['a41c09be72'] : []
  for (const [q, digest] of [
    ['2338471', '2338471'],
    [' 2338471@E352 ', '2338471%40E352'],
    ['ref-4711', 'ref-4711'],
  ] as const) {
    t.same(await visit(q, { failuresOfDigest }), {
      kind: 'redirect',
      location: `/development?failure=a41c09be72&digest=${digest}`,
    })
  }
})

t.test('finds a hexadecimal digest that was typed in capitals, but prefers the digest as typed', async t => {
  const stored = ['9f3ac41b07de', 'AB12CD34EF']
  const failuresOfDigest = async (digest: string) => (stored.includes(digest) ? [`of-${digest}`] : [])
  for (const [typed, digest] of [
    ['9F3AC41B07DE', '9f3ac41b07de'],
    ['Hi, the page shows Digest: 9F3AC41B07DE today', '9f3ac41b07de'],
    ['AB12CD34EF', 'AB12CD34EF'],
  ] as const)
    t.match(
      await visit(typed, { failuresOfDigest }),
      { location: new RegExp(`failure=of-${digest}&`) },
      typed,
    )
  const queried: string[] = []
  await visit('REF-4711', {
    failuresOfDigest: async digest => {
      queried.push(digest)
      return []
    },
  })
  t.same(queried, ['REF-4711'], 'other ids are looked up only as typed')
})

t.test('a fingerprint redirects to its failure if the events have no digest', async t => {
  const store: Partial<Store> = { failure: async id => (id === failure.id ? failure : null) }
  for (const q of [failure.id, failure.id.toUpperCase()])
    t.same(await visit(q, store), { kind: 'redirect', location: `/development?failure=${failure.id}` }, q)
})

t.test('reports an unknown digest and searches for it as text', async t => {
  for (const digest of ['4163817072', '4163817072@E352', '0123456abc', '0123456ABC', '2338471']) {
    const content = await contentOf(digest, {
      events: async ({ query }) => {
        t.match(query, { kind: 'text', text: digest })
        return { events: [row], older: null, newer: null }
      },
    })
    t.match(content.unknownDigest, { digest, hints: { maxAgeMs: 30 * 86_400_000, services: [] } })
    t.equal(content.events.length, 1)
  }
  t.match((await contentOf('9f3ac41b07de')).unknownDigest, { digest: '9f3ac41b07de' })
})

t.test('text that does not look like a digest is only used as a search', async t => {
  t.equal((await contentOf('timeout')).unknownDigest, null)
  t.equal((await contentOf('4bf92f3577b34da6a3ce929d0e0e4736')).unknownDigest, null, 'a trace id')
  const queried: string[] = []
  const failuresOfDigest = async (digest: string) => {
    queried.push(digest)
    return []
  }
  for (const q of ['service:shop', 'two words', '"2338471"', 'abc', '', 'x'.repeat(41)]) {
    await contentOf(q, { failuresOfDigest })
  }
  t.same(queried, [])
})

t.test(
  'the message about text that is too long for a search says that the text contains no known digest',
  async t => {
    const content = await contentOf('word '.repeat(1000))
    t.match(content.problem?.message, /^The text contains no known digest\..* at most 2000 characters/)
    t.same(content.withoutTerms, [])
  },
)

t.test('shows an invalid search again, with an error message, and runs no query', async t => {
  const fail = async () => {
    throw new Error('The store was queried')
  }
  const store = { events: fail, histogram: fail, facets: fail, failure: fail }
  const content = await contentOf('status:>=500 (service:shop', store)
  t.equal(content.q, 'status:>=500 (service:shop')
  t.match(content.problem, { message: /./, from: Number, to: Number })
  t.same(content.events, [])
})

t.test('counts the events that match the search and range, and preserves both in links', async t => {
  const content = await contentOf(
    'checkout severity:error',
    {
      events: async ({ limit }) => {
        t.equal(limit, 100)
        return { events: [row], older: 'o1', newer: null }
      },
      histogram: async ({ window }, bucketMs) => [
        { startMs: window.fromMs, counts: { trace: 0, debug: 0, info: 0, warn: 0, error: 3, fatal: 0 } },
        {
          startMs: window.fromMs + 5 * bucketMs,
          counts: { trace: 0, debug: 0, info: 0, warn: 0, error: 4, fatal: 0 },
        },
      ],
      facets: async (filter, fields) => {
        if (!fields.includes('severity')) {
          return [{ field: 'service', values: [{ value: 'shop', count: 7 }] }]
        }
        t.match(filter.query, { left: { kind: 'text', text: 'checkout' } }, 'without the severity term')
        const values = [
          { value: 'error', count: 7 },
          { value: 'info', count: 90 },
        ]
        return [{ field: 'severity', values }]
      },
    },
    '&range=6h',
  )
  t.equal(content.total, 7)
  t.same(
    content.severities.map(({ severity, count, active }) => [severity, count, active]),
    [
      ['trace', 0, false],
      ['debug', 0, false],
      ['info', 90, false],
      ['warn', 0, false],
      ['error', 7, true],
      ['fatal', 0, false],
    ],
  )
  t.equal(content.severities[2]?.href, '/activities?q=checkout+severity:info&range=6h')
  t.equal(content.severities[4]?.href, '/activities?q=checkout&range=6h')
  t.equal(content.olderHref, '/activities?q=checkout+severity:error&range=6h&before=o1')
  t.equal(content.newerHref, null)
  t.equal(content.zoomOutHref, '/activities?q=checkout+severity:error&range=24h')
  t.match(content.histogram?.html, /from=2026-11-21T/, 'a bucket links to its time range')
  t.same(content.facets[0], {
    field: 'service',
    label: 'Service',
    values: [{ value: 'shop', count: 7, state: 'none' }],
    href: null,
    expanded: false,
  })
})

t.test('counts severities from the histogram if the search has no severity term', async t => {
  const queried: (readonly string[])[] = []
  const content = await contentOf('checkout', {
    events: async () => ({ events: [row], older: 'o1', newer: null }),
    histogram: async ({ window }) => [
      { startMs: window.fromMs, counts: { trace: 0, debug: 0, info: 5, warn: 0, error: 3, fatal: 0 } },
    ],
    facets: async (_filter, fields) => {
      queried.push(fields)
      return []
    },
  })
  t.equal(queried.length, 1)
  t.equal(content.severities.find(({ severity }) => severity === 'info')?.count, 5)
})

t.test('counts the events of a search for text from its page if there are no others', async t => {
  const store = openMemoryStore({ nowMs: () => testNowMs })
  await store.append([
    { ...event, service: 'shop', severity: 'warn', body: 'Basket opened' },
    { ...event, service: 'Shop', severity: 'info', body: 'Basket closed' },
    { ...event, service: 'api', severity: 'info', body: 'Basket sent' },
  ])
  const searches: string[] = []
  const counting: Partial<Store> = {
    ...store,
    counts: (...search) => {
      searches.push('counts')
      return store.counts(...search)
    },
  }
  for (const [q, rest, expected] of [
    ['basket', '', []],
    ['basket', `&before=${cursorOf({ timeMs: testNowMs, id: 9e15 })}`, ['counts']],
    ['basket severity:info', '', ['counts']],
    ['service:shop', '', ['counts']],
  ] as const) {
    searches.length = 0
    const content = await contentOf(q, counting, rest)
    t.same(searches, expected, `${q} ${rest}`)
    const expectedContent = await contentOf(q, store, rest)
    t.same(content.facets, expectedContent.facets)
    t.same(content.severities, expectedContent.severities)
    t.same(content.histogram, expectedContent.histogram)
  }
  const { facets, severities } = await contentOf('basket', counting)
  t.match(facets[0]?.values, [
    { value: 'Shop', count: 2 },
    { value: 'api', count: 1 },
  ])
  t.equal(severities.find(({ severity }) => severity === 'info')?.count, 2)
  const many = Array.from({ length: 98 }, () => ({ ...event, body: 'Basket lost' }))
  await store.append(many)
  searches.length = 0
  t.match((await contentOf('basket', counting)).facets[0]?.values, [{ count: 100 }, { count: 1 }])
  t.same(searches, ['counts'], 'the page does not contain all events')
})

t.test('a facet with a chosen value also lists the other values, counted as if none were chosen', async t => {
  const store = openMemoryStore({ nowMs: () => testNowMs })
  await store.append(
    ['shop', 'shop', 'api', 'api', 'api', 'mail'].map(service => ({ ...event, service, digest: null })),
  )
  const services = async (q: string) => (await contentOf(q, store)).facets[0]?.values
  t.same(await services('service:shop'), [
    { value: 'api', count: 3, state: 'none' },
    { value: 'shop', count: 2, state: 'included' },
    { value: 'mail', count: 1, state: 'none' },
  ])
  t.match(await services('(service:shop OR service:mail) checkout'), [
    { value: 'api', count: 3, state: 'none' },
    { value: 'shop', count: 2, state: 'included' },
    { value: 'mail', count: 1, state: 'included' },
  ])
  t.match(await services('(service:gone OR service:mail)'), [
    {},
    {},
    {},
    { value: 'gone', count: 0, state: 'included' },
  ])
})

t.test('facets mark included and excluded values', async t => {
  const content = await contentOf('service:shop -route:/healthz', {
    facets: async () => [{ field: 'service', values: [{ value: 'shop', count: 7 }] }],
  })
  const [service, route] = content.facets
  t.match(service?.values, [{ value: 'shop', state: 'included' }])
  t.match(route?.values, [{ value: '/healthz', count: null, state: 'excluded' }])
})

t.test('each value has one facet row, even if the search repeats, includes and excludes it', async t => {
  const values = ['api', 'Mail', 'shop'].map(value => ({ value, count: 2 }))
  const services = async (q: string) => {
    const content = await contentOf(q, { facets: async () => [{ field: 'service', values }] })
    return content.facets[0]?.values.map(({ value, state }) => [value, state])
  }
  t.same(await services('service:shop -service:mail -service:Mail -service:gone -service:gone'), [
    ['api', 'none'],
    ['shop', 'included'],
    ['Mail', 'excluded'],
    ['gone', 'excluded'],
  ])
  t.same(await services('service:gone service:Gone -service:shop service:shop'), [
    ['api', 'none'],
    ['Mail', 'none'],
    ['Gone', 'included'],
    ['shop', 'excluded'],
  ])
})

t.test('finds the digest in text copied from a failure page', async t => {
  const store: Partial<Store> = {
    failuresOfDigest: async digest => (digest.startsWith('2338471') ? ['a41c09be72'] : []),
  }
  for (const text of [
    '2338471',
    'Digest: 2338471',
    'digest: "2338471"',
    'Application error: a server-side exception has occurred while loading shop.example. Digest: 2338471.',
    'ERROR 2338471',
    'Digest: 2338471@E352',
    'digest 2338471',
    '`2338471`,',
    '#2338471',
    '(2338471)',
    '\u200e2338471\u200b',
    'Hi, I see Digest: 2338471 on checkout, please help',
    'My order 77120 failed, and the page shows 2338471. What happened?',
  ]) {
    t.match(
      await visit(text, store),
      { kind: 'redirect', location: /failure=a41c09be72&digest=2338471/ },
      text,
    )
  }
  for (const text of ['error 23', 'digest:99', '"an error 2338471 times"']) {
    t.match(await visit(text, store), { kind: 'content' }, text)
  }
  t.match(await contentOf('Digest: 4163817072', store), { unknownDigest: { digest: '4163817072' } })
})

t.test('a pasted id redirects to its trace or request, regardless of the range', async t => {
  const id = '4bf92f3577b34da6a3ce929d0e0e4736'
  const queried: unknown[] = []
  const store: Partial<Store> = {
    events: async ({ query, limit }) => {
      if (limit === 1) queried.push(query)
      const isThere = query.kind === 'field' && [id, 'req-7f3a', '9f3ac41b07de'].includes(String(query.value))
      return { events: isThere ? [row] : [], older: null, newer: null }
    },
  }
  for (const text of [id, id.toUpperCase(), `00-${id}-00f067aa0ba902b7-01`]) {
    t.match(await visit(text, store), { kind: 'redirect', location: new RegExp(`q=trace:${id}&from=`) }, text)
  }
  t.match(await visit('req-7f3a', store), { kind: 'redirect', location: /q=request:req-7f3a&from=/ })
  t.match(
    await visit('9f3ac41b07de', store),
    { location: /q=request:9f3ac41b07de&from=/ },
    'some applications create request ids in the format of digests',
  )
  t.match(await visit('req-7f3a', store, '&columns=message'), { location: /&columns=message$/ })
  queried.length = 0
  for (const text of ['timeout', 'status:500', 'two words 1', 'http2']) {
    t.match(await visit(text, store), { kind: 'content' }, text)
  }
  t.same(queried, [], 'other words are not looked up as ids')
  t.match(await visit('not-here-1', store), { kind: 'content' })
})

t.test('a request for a part of the page does not redirect, even if the pasted id is now known', async t => {
  const store: Partial<Store> = {
    event: async () => event,
    events: async () => ({ events: [row], older: null, newer: null }),
    failuresOfDigest: async () => ['a41c09be72'],
  }
  for (const text of ['order-77', '2338471']) {
    t.match(await visit(text, store, '&range=1h'), { kind: 'redirect' }, text)
    for (const part of ['event', 'counts']) {
      const content = await contentOf(text, store, `&range=1h&event=7&view=${part}`)
      t.match(content, { part, q: text, open: part === 'event' ? { id: 7 } : null }, text)
    }
  }
})

t.test('an expanded facet lists and searches all its values', async t => {
  const routes = Array.from({ length: 40 }, (_, index) => ({ value: `/Route/${index}`, count: 40 - index }))
  const store: Partial<Store> = {
    events: async () => ({ events: [row], older: 'o1', newer: null }),
    facets: async (_filter, fields, limit) =>
      fields.map(field => ({ field, values: field === 'route' ? routes.slice(0, limit) : [] })),
  }
  const routeOf = async (rest: string) =>
    (await contentOf('a', store, rest)).facets.find(({ field }) => field === 'route')
  const narrow = await routeOf('')
  t.equal(narrow?.values.length, 8)
  t.match(narrow, {
    href: '/activities?q=a&range=1h&facet=route',
    action: 'Show more route values',
    expanded: false,
  })
  const wide = await routeOf('&facet=route')
  t.equal(wide?.values.length, 40)
  t.match(wide, { href: '/activities?q=a&range=1h', action: 'Show only the most frequent', expanded: true })
  const found = await routeOf('&facet=route&find=route/3')
  t.same(
    found?.values.map(({ value }) => value),
    ['/Route/3', ...Array.from({ length: 10 }, (_, index) => `/Route/3${index}`)],
  )
  t.match(await routeOf('&facet=nonsense'), { expanded: false })
  t.equal((await routeOf('&find=route/3'))?.values.length, 8, 'a filter applies to every facet')
  t.equal((await routeOf('&find=ROUTE'))?.values[0]?.value, '/Route/0', 'it also matches field names')
})

t.test('a facet says which values it does not list or search', async t => {
  const valuesOf = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({ value: `${name}${index}`, count: count - index }))
  const facetOf = async (field: string, count: number, rest: string) => {
    const values = valuesOf(field === 'route' ? '/r' : 'acme', count)
    const store: Partial<Store> = {
      facets: async (_filter, fields, limit) =>
        fields.map(each => ({ field: each, values: each === field ? values.slice(0, limit) : [] })),
      attributeFacet: async (_filter, _path, limit) => values.slice(0, limit),
    }
    return (await contentOf('a', store, rest)).facets.find(each => each.field === field)
  }
  const noteOf = async (...parameters: Parameters<typeof facetOf>) => (await facetOf(...parameters))?.note
  const searched = 'Only the 1,000 most frequent values were searched.'
  for (const [field, name] of [
    ['route', '/r'],
    ['@tenant', 'acme'],
  ] as const) {
    const expanded = `&facet=${field}`
    t.equal(await noteOf(field, 100, expanded), undefined)
    t.equal((await facetOf(field, 400, expanded))?.values.length, 100)
    t.equal(await noteOf(field, 400, expanded), 'The 100 most frequent of 400 values.')
    t.equal(await noteOf(field, 1000, expanded), 'The 100 most frequent of 1,000 values.')
    t.equal(await noteOf(field, 5000, expanded), 'The 100 most frequent of more than 1,000 values.')
    t.match(await facetOf(field, 5000, `${expanded}&find=${name}4000`), { values: [], note: searched })
    t.match(await facetOf(field, 5000, `${expanded}&find=${name}999`), { values: [{}], note: searched })
    t.equal(await noteOf(field, 1000, `${expanded}&find=${name}999`), undefined)
    t.equal(
      await noteOf(field, 5000, `${expanded}&find=${name}2`),
      `The 100 most frequent of 111 matching values. ${searched}`,
    )
  }
  const hidden = await facetOf('route', 5000, '&find=r4000')
  t.match(hidden, { values: [], note: searched, href: null, action: String }, 'it is shown for its note')
  t.equal(await noteOf('route', 5000, ''), undefined)
  t.equal(await noteOf('route', 5000, '&find=route'), undefined)
  t.equal((await facetOf('route', 900, '&find=r4000'))?.action, undefined)
})

t.test('counts the values of an attribute only on request', async t => {
  const store = openMemoryStore({ nowMs: () => testNowMs })
  await store.append(
    ['acme', 'acme', 'Beta', 'beta', 'beta', 'x'.repeat(501), 'two\nlines', null].map(tenant => ({
      ...event,
      digest: null,
      attributes: { tenant, build: 7 },
    })),
  )
  await store.append([{ ...event, digest: null, service: 'sixpane', attributes: { tenant: 'own' } }])
  const facetOf = async (q: string, rest = '', key = '@tenant') => {
    const { facets } = await contentOf(q, store, rest)
    return facets.find(({ field }) => field === key)
  }
  t.equal(await facetOf(''), undefined, 'neither shown nor searched for')
  t.same(await facetOf('', '&columns=message,@tenant'), {
    field: '@tenant',
    label: 'tenant',
    term: 'tenant',
    values: [],
    href: '/activities?range=1h&columns=message%2C%40tenant&facet=%40tenant',
    action: 'Count tenant values',
    expanded: false,
  })
  t.equal(await facetOf('nothing', '&columns=message,@tenant'), undefined, 'no event matches')
  t.match(await facetOf('tenant:acme -tenant:gone'), {
    values: [
      { value: 'acme', count: null, state: 'included' },
      { value: 'gone', count: null, state: 'excluded' },
    ],
    expanded: false,
  })
  const [first, ...others] = (await contentOf('', store, '&facet=@tenant')).facets
  t.strictSame(first, {
    field: '@tenant',
    label: 'tenant',
    term: 'tenant',
    values: [
      { value: 'Beta', count: 3, state: 'none' },
      { value: 'acme', count: 2, state: 'none' },
      { value: 'two\nlines', count: 1, state: 'none', hasNoLink: true },
      { value: `${'x'.repeat(500)}…`, count: 1, state: 'none', hasNoLink: true },
    ],
    href: '/activities?range=1h',
    action: 'Hide counts',
    expanded: true,
  })
  t.notOk(others.some(({ expanded }) => expanded))
  t.match((await facetOf('tenant:beta', '&facet=@tenant'))?.values, [
    { value: 'Beta', count: 3, state: 'included' },
    { value: 'acme', count: 2, state: 'none' },
  ])
  t.match((await facetOf('', '&facet=@tenant&find=ACM'))?.values, [{ value: 'acme' }])
  t.equal((await facetOf('', '&facet=@tenant&find=tenant'))?.values.length, 4)
  t.match(await facetOf('', '&facet=@build', '@build'), { values: [{ value: '7', count: 8 }] })
  t.match(await facetOf('', '&facet=@gone', '@gone'), { note: 'No matching event has this attribute.' })
  t.match(await facetOf('', '&facet=@tenant&find=gone'), { values: [], note: 'No matching values.' })
  for (const invalid of ['@', '@a\0', 'tenant', `@${'x'.repeat(10_000)}`, '@'.repeat(200)]) {
    const { facets } = await contentOf('', store, `&facet=${encodeURIComponent(invalid)}`)
    t.notOk(
      facets.some(({ field, expanded }) => expanded || field.startsWith('@')),
      invalid.slice(0, 20),
    )
  }
})

t.test('counts the values of an attribute only in the newest events if there are too many', async t => {
  const windows: unknown[] = []
  const store: Partial<Store> = {
    histogram: async ({ window }, bucketMs) => [
      { startMs: window.fromMs, counts: { trace: 0, debug: 0, info: 900_000, warn: 0, error: 0, fatal: 0 } },
      {
        startMs: window.toMs - 2 * bucketMs,
        counts: { trace: 0, debug: 0, info: 800_000, warn: 0, error: 0, fatal: 0 },
      },
      {
        startMs: window.toMs - bucketMs,
        counts: { trace: 0, debug: 0, info: 100_000, warn: 0, error: 0, fatal: 0 },
      },
    ],
    attributeFacet: async ({ window }) => {
      windows.push(window.toMs - window.fromMs)
      return [{ value: 'acme', count: 7 }]
    },
  }
  const minuteMs = 60_000
  for (const q of ['', 'tenant:acme']) {
    const { facets } = await contentOf(q, store, '&range=1h&facet=@tenant')
    t.match(facets[0]?.note, /^Counts only the newest 500,000 events, since 2026-11-21 14:\d\d\.$/)
  }
  t.same(windows, [1.5 * minuteMs, 1.5 * minuteMs])
})

t.test('links to other searches, times and events keep the attribute that is counted', async t => {
  const content = await contentOf(
    'checkout',
    {
      histogram: async ({ window }) => [
        { startMs: window.fromMs, counts: { trace: 0, debug: 0, info: 5, warn: 0, error: 3, fatal: 0 } },
      ],
      events: async () => ({ events: [row], older: 'o1', newer: null }),
      attributeFacet: async () => [],
    },
    '&facet=@tenant',
  )
  t.equal(content.facet, '@tenant')
  const hrefs = [
    content.severities[0]?.href,
    content.olderHref,
    content.zoomOutHref,
    content.ownEvents?.href,
    content.withoutTerms[0]?.href,
    content.histogram?.html,
  ]
  for (const href of hrefs) t.match(href, 'facet=%40tenant')
  t.notMatch((await contentOf('checkout', {}, '&facet=service')).zoomOutHref, 'facet')
})

t.test('the URL of the log contains everything that the page shows, except the open event', async t => {
  const shown = '&range=1h&before=b1&columns=message'
  for (const rest of [
    `${shown}&facet=service&find=sh`,
    `${shown}&facet=%40tenant`,
    `${shown}&table=histogram`,
  ]) {
    const { logHref } = await contentOf('a', { event: async () => event }, `${rest}&event=7`)
    t.equal(logHref, `/activities?q=a${rest}`)
  }
})

t.test('opens an event by its id, or reports that it is missing', async t => {
  const store = { event: async (id: number) => (id === 7 ? event : null) }
  t.match(await contentOf('', store, '&event=7'), { open: { id: 7 }, openMissing: false })
  t.match(await contentOf('', store, '&event=8'), { open: null, openMissing: true })
  t.match(await contentOf('', store, '&event=x'), { open: null, openMissing: false })
  const request = { ...event, method: 'GET', attributes: { req: { url: '/carts/7?token=a' } } }
  const path = async (open: LogEvent) =>
    (await contentOf('', { event: async () => open }, '&event=7')).open?.path
  t.equal(await path(request), '/carts/7', 'a request without a route has a path')
  t.equal(await path({ ...request, route: '/carts/:id' }), undefined, 'the route replaces the path')

  const { saveForm, range } = await contentOf('a', store, '&event=7&columns=message')
  t.same(viewOf(fakeRequest(saveForm.view)).range, range, 'a saved search has the range around the event')
  t.match(saveForm.view, /^q=a&.*&columns=message$/)
  const counts = await contentOf('a', store, '&event=7&view=counts')
  t.same(counts.range, range, 'the counts of the page have the same range')
  const queried: number[] = []
  const loadEvent = async (id: number) => {
    queried.push(id)
    return null
  }
  await contentOf('a', { event: loadEvent }, '&range=1h&event=7&view=counts')
  t.same(queried, [], 'counts in a given range do not need the event')

  t.test('a page with only the open event does not query the log', async t => {
    const refused = async () => {
      throw new Error('The page queries the log')
    }
    const store = {
      event: async () => event,
      events: refused,
      counts: refused,
      histogram: refused,
      facets: refused,
    }
    const content = await contentOf('', store, '&range=1h&event=7&view=event')
    t.match(content, { part: 'event', open: { id: 7 }, openMissing: false, events: [], facets: [] })
  })
})

t.test('only the newest page links to the live feed, which starts after the newest event', async t => {
  const store: Partial<Store> = {
    since: async (after, { limit }) => {
      t.same([after, limit], [null, 0])
      return { events: [], missed: 0, lastId: 41, position: '41' }
    },
  }
  t.equal((await contentOf('a b', store)).liveHref, `/live?q=a+b&after=41-${testNowMs}`)
  t.equal((await contentOf('', store, '&before=x')).liveHref, null)
  t.equal(
    (await contentOf('', store, '&after=x')).liveHref,
    `/live?after=41-${testNowMs}`,
    'a page without newer events is the newest page',
  )
  const newer = async () => ({ events: [], older: null, newer: 'n1' })
  t.equal((await contentOf('', { ...store, events: newer }, '&after=x')).liveHref, null)
})

t.test('events that arrive while the page is being prepared are in its live feed', async t => {
  const memory = openMemoryStore({ nowMs: () => testNowMs })
  await memory.append([event])
  const store: Partial<Store> = {
    ...memory,
    failuresOfDigest: async () => {
      await memory.append([{ ...event, timeMs: testNowMs + 1, body: '1234567890' }])
      return []
    },
  }
  const { liveHref } = await contentOf('1234567890', store)
  const { searchParams } = new URL(liveHref ?? '', 'http://console.example')
  const [position = ''] = searchParams.get('after')?.split('-') ?? []
  const feed = await memory.since(position, { query: { kind: 'all' }, limit: 10 })
  t.match(feed.events, [{ body: '1234567890' }])
})

t.test(
  'columns come from the URL or, by default, from the preferences, and links preserve columns from the URL',
  async t => {
    const queried: unknown[] = []
    const store: Partial<Store> = {
      events: async ({ attributes }) => {
        queried.push(attributes)
        return { events: [row], older: 'o1', newer: null }
      },
      since: async () => ({ events: [], missed: 0, lastId: 41, position: '41' }),
    }
    const own = await contentOf('a', store)
    t.equal(own.urlColumns, undefined)
    t.same(own.columns[0], { field: 'severity', widthPx: null })
    t.notMatch(JSON.stringify(own), 'columns=')
    const shared = await contentOf('a', store, '&columns=message,@user.plan:90')
    t.same(shared.columns, [
      { field: 'message', widthPx: null },
      { attribute: 'user.plan', widthPx: 90 },
    ])
    t.same(queried, [[], ['user.plan']])
    for (const href of [shared.olderHref, shared.zoomOutHref, shared.liveHref, shared.severities[0]?.href]) {
      t.match(href, /columns=message%2C%40user\.plan:90/)
    }
  },
)

t.test('stores selected columns in the preferences and the URL', async t => {
  const form = new URLSearchParams([
    ['form', 'columns'],
    ['column', 'severity'],
    ['column', 'message'],
    ['column', '@order.id'],
    ['width-severity', '90'],
    ['width-@order.id', 'wide'],
    ['attribute', 'user.plan, order.currency'],
  ])
  const columns = 'severity:90,message,@order.id,@user.plan,@order.currency'
  const page = 'q=a&range=24h&before=o1&event=7&facet=%40user.plan&find=pro'
  form.set('page', `https://elsewhere.example/activities?${page}&columns=old&done=deleted&undo=1`)
  t.match(await handleActivitiesForm(form, fakeRequest(), fakeContext(), activities.get), {
    kind: 'redirect',
    location: `/activities?${page}&${new URLSearchParams({ columns })}`,
    preferences: { theme: 'system', columns },
  })
  t.match(
    await handleActivitiesForm(
      new URLSearchParams({ form: 'columns' }),
      fakeRequest(),
      fakeContext(),
      activities.get,
    ),
    {
      preferences: { columns: /^severity,service,status/ },
    },
  )
})

t.test('suggests searches with one term removed', async t => {
  const { withoutTerms } = await contentOf('checkout -service:shop')
  t.same(withoutTerms, [
    { term: 'checkout', href: '/activities?q=-service:shop&range=1h' },
    { term: '-service:shop', href: '/activities?q=checkout&range=1h' },
  ])
  t.same((await contentOf('a OR b')).withoutTerms, [])
})

t.test('an empty log says whether any service has sent events', async t => {
  const after = async (q: string, ...services: string[]) => {
    const seenSources = async () =>
      services.map(service => {
        const seenMs = testNowMs - 7_200_000
        return { service, source: 'ndjson', firstSeenMs: seenMs, lastSeenMs: seenMs }
      })
    return (await contentOf(q, { seenSources })).noServices
  }
  t.equal(await after(''), true)
  t.equal(await after('', 'sixpane'), true)
  t.equal(await after('', 'sixpane', 'shop'), false)
  t.equal(await after('checkout'), false, 'a search may simply match nothing')
})

/** An in-memory store of saved searches. */
function savedSearches() {
  const stored: SavedSearch[] = []
  return {
    stored,
    store: {
      savedSearches: {
        list: async () => stored,
        save: async (search: SavedSearch) => {
          stored.push(search)
        },
        remove: async (id: string) => {
          stored.splice(
            stored.findIndex(each => each.id === id),
            1,
          )
        },
      },
    },
  }
}

t.test('saves, lists, deletes and restores a search', async t => {
  const { stored, store } = savedSearches()
  const context = fakeContext({ store })
  const act = (fields: Record<string, string>, query: string) => {
    const form = new URLSearchParams({ ...fields, page: `/activities?${query}` })
    return handleActivitiesForm(form, fakeRequest(), context, activities.get)
  }
  const view = 'q=severity%3Aerror&range=6h'
  const page = `${view}&before=o1&event=7`
  t.same(await act({ form: 'save', view: `${view}&event=7`, name: ' Errors ' }, page), {
    kind: 'redirect',
    location: `/activities?${page}&done=saved`,
  })
  t.match(stored, [{ name: 'Errors', view, createdMs: testNowMs }])
  const shown = await contentOf('severity:error', store, '&range=6h')
  t.match(shown.saved, [{ name: 'Errors', href: `/activities?${view}`, active: true }])
  t.match((await contentOf('other', store)).saved, [{ active: false }])
  const [saved] = stored
  if (saved !== undefined) saved.view = 'q=severity%3Aerror&from=2026-11-20T14%3A00&to=2026-11-20T15%3A00'
  const earlier = await contentOf('severity:error', store, '&from=2026-11-20T14:00Z&to=2026-11-20T15:00Z')
  t.match(earlier.saved, [{ active: true }], 'a search that an earlier version saved with local times')
  const deleted = await act({ form: 'forget', id: saved?.id ?? '' }, `${page}&done=saved`)
  t.match(deleted, { location: /^\/activities\?.*&before=o1&event=7&done=deleted&undo=/ })
  t.same(stored, [])
  const undo = new URLSearchParams(deleted.kind === 'redirect' ? deleted.location : '').get('undo') ?? ''
  t.match(await act({ form: 'undo', undo }, `${page}&done=deleted&undo=${undo}`), {
    location: `/activities?${page}&done=restored`,
  })
  t.same(stored, [saved])
  t.match(await act({ form: 'undo', undo }, ''), { location: '/activities?done=expired' })
})

t.test('reports an invalid name next to its field and preserves the page', async t => {
  const { stored, store } = savedSearches()
  for (const name of ['', ' ', 'x'.repeat(81)]) {
    const page = '/activities?q=shop&range=6h&before=o1&done=deleted'
    const form = new URLSearchParams({ form: 'save', page, view: 'q=shop', name })
    const response = await handleActivitiesForm(form, fakeRequest(), fakeContext({ store }), activities.get)
    t.match(response, {
      kind: 'content',
      status: 422,
      url: '/activities?q=shop&range=6h&before=o1',
      content: {
        q: 'shop',
        logHref: '/activities?q=shop&range=6h&before=o1',
        saveForm: { view: 'q=shop', name: name.trim(), problem: String },
        confirmation: null,
      },
    })
  }
  t.same(stored, [])
})

t.test('hides Sixpane’s own events, unless the search includes them', async t => {
  const store = openMemoryStore({ nowMs: () => testNowMs })
  await store.append([
    { ...event, service: 'sixpane', source: 'own', requestId: 'req-77', body: 'Request answered' },
    { ...event, body: 'paid' },
  ])
  const shown = async (q: string) => {
    const { events, total, facets, ownEvents } = await contentOf(q, store)
    const services = facets.find(({ field }) => field === 'service')?.values.map(({ value }) => value)
    return { bodies: events.map(({ body }) => body), total, services, ownEvents }
  }
  t.same(await shown(''), {
    bodies: ['paid'],
    total: 1,
    services: ['shop'],
    ownEvents: { shown: false, href: '/activities?q=source:*&range=1h' },
  })
  t.match(await shown('source:*'), {
    bodies: ['paid', 'Request answered'],
    total: 2,
    ownEvents: { shown: true, href: '/activities?range=1h' },
  })
  t.match(await shown('request:req-77'), { bodies: ['Request answered'], ownEvents: null })
  t.match(await shown('paid OR missing'), {
    ownEvents: { href: '/activities?q=%28paid+OR+missing%29+source:*&range=1h' },
  })
})
