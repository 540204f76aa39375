import cookie from '@fastify/cookie'
import fc from 'fast-check'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import type { Completion } from '../../../shared/completion.ts'
import { type Attributes, ownService } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import { parseQuery } from '../../query/parse.ts'
import { anEvent } from '../../store/conformance/testing.ts'
import { openMemoryStore } from '../../store/memory/store.ts'
import type { Store } from '../../store/store.ts'
import { fakeContext } from '../../testing/fake-context.ts'
import { stubPlugins } from '../../testing/stub-plugins.ts'
import completion from './completion.ts'
import { contextAt } from './cursor.ts'
import { maxSampledAttributes } from './options.ts'

const typical: Attributes = { user: { plan: 'pro', 'full name': 'A B' }, service: 'odd', tags: ['x'] }

function setUp(t: Test, sampled: readonly Attributes[] = [typical], services = ['shop', 'shop & co', 'api']) {
  return completeWith(t, {
    facets: async (_filter, fields) =>
      fields.map(field => ({
        field,
        values:
          field === 'status'
            ? [{ value: '200', count: 9 }]
            : services.map((value, index) => ({ value, count: 3 - index })),
      })),
    wholeEvents: async () => ({
      events: sampled.map((attributes, index) => ({ ...anEvent({ attributes }), id: index + 1 })),
      older: null,
      newer: null,
    }),
  })
}

/** Returns a function that completes a search: `|` marks the cursor. It returns the searches that result from each option. */
function completeWith(t: Test, store: Partial<Store>) {
  const context = fakeContext({ store })
  const app = Fastify()
  stubPlugins(app)
  app.register(cookie)
  app.register(completion, { context })
  t.teardown(() => app.close())
  return async (typed: string) => {
    const [q, at] = [typed.replace('|', ''), typed.indexOf('|')]
    const { from, to, options } = (await app.inject(paths.complete({ q, at }))).json<Completion>()
    return options.map(({ text }) => q.slice(0, from) + text + q.slice(to))
  }
}

t.test('completes fields by prefix or alias, followed by attributes', async t => {
  const complete = await setUp(t)
  t.same(await complete('serv|'), ['service:', 'release:', 'attributes.service:'])
  t.same(await complete('level|'), ['severity:'])
  t.same(await complete('status:500 -use|'), ['status:500 -user.plan:', 'status:500 -"user.full name":'])
  t.ok((await complete('|')).includes('severity:'))
  t.ok((await complete('(|')).includes('(severity:'))
})

t.test('completes existing values, quoted if necessary, anywhere in a search', async t => {
  const complete = await setUp(t)
  t.same(await complete('service:sh|'), ['service:shop', 'service:"shop & co"'])
  t.same(await complete('service:| timeout'), [
    'service:shop timeout',
    'service:"shop & co" timeout',
    'service:api timeout',
  ])
  t.same(await complete('level:err|'), ['level:error'])
  t.same(await complete('status:|'), ['status:200', 'status:>=500', 'status:>=400'])
  t.same(await complete('user.plan:|'), ['user.plan:pro'])
  t.same(await complete('attributes.service:|'), ['attributes.service:odd'])
  t.same(await complete('"a b" 5" service:"sh|'), ['"a b" 5" service:shop', '"a b" 5" service:"shop & co"'])
})

t.test('completes attributes of Sixpane’s own events only if the search may show them', async t => {
  const store = openMemoryStore()
  t.teardown(() => store.close())
  const timeMs = Date.now() - 1000
  const own = anEvent({
    timeMs,
    service: ownService,
    source: 'own',
    attributes: { process: { rssBytes: 1 } },
  })
  await store.append([anEvent({ timeMs, attributes: { processed: true } }), own])
  const complete = completeWith(t, store)
  t.same(await complete('process|'), ['processed:'])
  t.same(await complete('source:own process|'), ['source:own process.rssBytes:', 'source:own processed:'])
})

t.test('completes values after a quoted name, but does not offer null, which no search finds', async t => {
  const complete = await setUp(t, [{ 'app/name': 'shop', user: { id: null } }])
  t.same(await complete('"app/name":sh|'), ['"app/name":shop'])
  t.same(await complete('user.|'), ['user.id:'])
  t.same(await complete('user.id:|'), [])
})

t.test('offers no attribute that a search for its path does not find', async t => {
  const complete = await setUp(t, [{ label: { 'com.docker': { id: 'web' }, env: 'live' } }])
  t.same(await complete('label|'), ['label.env:'])
  t.same(await complete('label.com.docker.id:|'), [])
})

t.test('completes the names of logged fields, and keeps attributes with these names apart', async t => {
  const complete = await setUp(t, [{ http: { route: 1 } }])
  t.same(await complete('http.ro|'), ['route:', 'attributes.http.route:'])
})

t.test('quotes existing values that look like search syntax', async t => {
  const complete = await setUp(t, [{ queue: '*' }], ['>5', '<=b', '*'])
  t.same(await complete('service:|'), ['service:">5"', 'service:"<=b"', 'service:"*"'])
  t.same(await complete('service:>5|'), ['service:">5"'])
  t.same(await complete('service:<|'), ['service:"<=b"'])
  t.same(await complete('queue:|'), ['queue:"*"'])
})

t.test('completes comparisons', async t => {
  const complete = await setUp(t)
  t.same(await complete('status:>|'), ['status:>200', 'status:>=500', 'status:>=400'])
  t.same(await complete('status:>=4|'), ['status:>=400'])
  t.same(await complete('severity:>=err|'), ['severity:>=error'])
  t.same(await complete('severity:>=w|'), ['severity:>=warn'])
})

t.test('offers comparisons only of numbers and severities', async t => {
  const flags = [{ flags: '' }, { flags: '0x1F' }, { flags: '1e3' }, { flags: 'all' }]
  const complete = await setUp(t, flags, ['1.4', '2'])
  t.same(await complete('flags:>|'), ['flags:>1e3'])
  for (const typed of ['release:>|', 'service:>=|', 'service:<2|']) t.same(await complete(typed), [], typed)
})

t.test('offers no names or values with a line break, which text fields remove', async t => {
  const complete = await setUp(t, [{ note: 'two\nlines', 'no\rte': 'x' }], ['shop\r\n', 'shop'])
  t.same(await complete('note:|'), [])
  t.same(await complete('not|'), ['note:'])
  t.same(await complete('service:|'), ['service:shop'])
})

t.test('offers no completions for phrases, ids and unknown names', async t => {
  const complete = await setUp(t)
  const phrases = ['"card decl|', '"card s|', '"card |', 'service:"shop s|', 'a ("b c s|']
  for (const typed of [...phrases, 'request:abc|', 'nonsense:|', 'xyzzy|', 'a)|']) {
    t.same(await complete(typed), [], typed)
  }
})

t.test('property: completions replace a range within the text, for any text and cursor', async t => {
  const complete = await setUp(t)
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.stringMatching(/^[a-z:"() -]{0,20}$/),
    fc.constantFrom('service:shop AND (status:>=500 OR "x y")', 'level:', '-'),
  )
  await fc.assert(
    fc.asyncProperty(text, fc.nat({ max: 30 }), async (q, at) => {
      const place = contextAt(q, Math.min(at, q.length))
      const isWithin = place === null || (place.from >= 0 && place.from <= place.to && place.to <= q.length)
      await complete(`${q.slice(0, at)}|${q.slice(at)}`.replaceAll('||', '|'))
      return isWithin
    }),
    { numRuns: 60 },
  )
})

t.test(
  'limits the options and the sampled attributes if every event has different attribute names',
  async t => {
    const attributesOf = (event: number) =>
      Object.fromEntries(Array.from({ length: 6000 }, (_, index) => [`id-${event}-${index}`, 'x']))
    const complete = await setUp(t, [attributesOf(1), attributesOf(2)])
    t.equal((await complete('id-|')).length, 8)
    const last = maxSampledAttributes - 6000 - 1
    t.same(await complete(`id-2-${last}|`), [`id-2-${last}:`])
    t.same(await complete(`id-2-${last + 1}|`), [], 'beyond 10,000 attributes')
    t.equal(maxSampledAttributes, 10_000)
  },
)

t.test('every completion is a valid search', async t => {
  const complete = await setUp(t)
  for (const typed of ['service:|', 'status:|', 'user.plan:|', 'level:|', 'duration:|', 'digest:|']) {
    const searches = await complete(typed)
    t.not(searches.length, 0, typed)
    for (const search of searches) t.ok('query' in parseQuery(search), search)
  }
})
