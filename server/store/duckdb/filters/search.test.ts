import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { NewEvent } from '../../../../shared/event.ts'
import { fieldEquals, type Query } from '../../../../shared/query.ts'
import { anEvent, noonMs } from '../../conformance/testing.ts'
import { facetFields } from '../../event-store.ts'
import type { Database } from '../engine/database.ts'
import { attributeSeries } from '../events/attribute-series.ts'
import { counts } from '../events/counts.ts'
import { eventsSince } from '../events/event.ts'
import { eventPage } from '../events/event-page.ts'
import { facets } from '../events/facets.ts'
import { histogram } from '../events/histogram.ts'
import { regroup, storedStacks } from '../events/stacks.ts'
import { rowShape, wholeEvent } from '../sql/event-rows.ts'
import type { Source } from '../sql/source.ts'
import { openFiltered } from './testing.ts'

const dayMs = 86_400_000
const window = { fromMs: noonMs - 10 * dayMs, toMs: noonMs + 10 * dayMs }

async function results(source: Source, query: Query) {
  const { events } = await eventPage(source, { window, query, limit: 1000 }, wholeEvent)
  return {
    ids: events.map(({ id }) => id),
    histogram: await histogram(source, { window, query }, 20 * dayMs),
  }
}

async function moreResults(source: Source, query: Query) {
  const lastId = Number.MAX_SAFE_INTEGER
  return {
    ...(await results(source, query)),
    page: await eventPage(source, { window, query, limit: 2, after: '0.0' }, wholeEvent),
    facets: await facets(source, { window, query }, facetFields, 10),
    counts: await counts(source, { window, query }, 5 * dayMs, facetFields, 10),
    since: await eventsSince(source, { id: 0, upTo: lastId }, query, 5, rowShape(['user.id'])),
    series: await attributeSeries(
      source,
      { window, query },
      [{ path: 'user.id', aggregate: 'sum' }],
      20 * dayMs,
    ),
  }
}

function withoutFilters(source: Source): Source {
  return { ...source, searchFilters: async () => [] }
}

const texts = [
  'Card declined',
  'CARD DECLINED by ÄBC bank',
  'Straße 12, İstanbul, Kelvin ΣΑΣ',
  'a "quoted\\path" 100%_done',
  'line one\nline two\0\x7f\u{1f600}',
  '550e8400-e29b-41d4-a716-446655440000',
  '2776893fd973a7cb0ce3d5d0c818a674',
  'req-1a2b',
  '4163817072@E352',
  '/api/orders/:id',
  'deadbeef01',
  '1e21',
  '12345',
  '',
]
const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...texts) },
  fc.string({ unit: fc.constantFrom(...'aAbB01-/"\\%_* {[éKİ') }),
)
const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...texts) },
  { weight: 1, arbitrary: fc.array(word, { minLength: 1, maxLength: 3 }).map(words => words.join(' ')) },
)
const textOrNull = fc.option(text)
const attribute = fc.oneof(
  text,
  fc.constantFrom(42, 1e21, 1e-7, 1.5, true, null),
  fc.array(fc.oneof(text, fc.constant(1e21))),
)
const attributes = fc.oneof(
  { weight: 3, arbitrary: fc.record({ user: fc.record({ id: attribute }) }) },
  { weight: 1, arbitrary: fc.record({ 'user.id': attribute }) },
  { weight: 1, arbitrary: fc.dictionary(text, attribute, { maxKeys: 2 }) },
)
const storedEvent: fc.Arbitrary<NewEvent> = fc
  .record({
    timeMs: fc.integer({ min: noonMs - dayMs, max: noonMs + dayMs }),
    body: text,
    service: text,
    route: textOrNull,
    requestId: textOrNull,
    traceId: textOrNull,
    spanId: textOrNull,
    digest: textOrNull,
    fingerprint: fc.option(fc.constantFrom('deadbeef01', '0123456789')),
    exception: fc.option(fc.record({ type: text, message: text, stack: textOrNull })),
    attributes,
  })
  .map(fields => anEvent({ ...fields, release: fields.exception === null ? null : '1.0' }))

const part = fc
  .tuple(text, fc.nat(30), fc.nat(40), fc.constantFrom('as it is', 'upper', 'lower'))
  .map(([whole, from, length, casing]) => {
    const cut = whole.slice(from % (whole.length + 1)).slice(0, length)
    if (casing === 'as it is') return cut
    return casing === 'upper' ? cut.toUpperCase() : cut.toLowerCase()
  })
  .filter(cut => cut.isWellFormed())
const pattern = fc.oneof(
  text,
  part,
  part.map(each => `*${each}*`),
  fc.tuple(part, part).map(parts => parts.join('*')),
)
const field = fc.constantFrom(
  ...([
    'message',
    'exception',
    'route',
    'service',
    'request',
    'trace',
    'span',
    'digest',
    'fingerprint',
  ] as const),
)
const path = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('user.id', 'user.id', 'user', 'user.id.0', 'id') },
  { weight: 1, arbitrary: text },
)
const literal = fc
  .option(fc.constant(true as const))
  .map(isLiteral => (isLiteral === null ? {} : { literal: isLiteral }))
const term: fc.Arbitrary<Query> = fc.oneof(
  { weight: 3, arbitrary: part.map(words => ({ kind: 'text' as const, text: words })) },
  {
    weight: 3,
    arbitrary: fc.tuple(field, pattern, literal).map(([name, value, flag]) => ({
      kind: 'field' as const,
      field: name,
      comparison: '=' as const,
      value,
      ...flag,
    })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        path,
        fc.oneof(pattern, fc.constantFrom(42, 1e21, true, '1e21', '1e+21', '42', '*1e21*', '*1e21')),
        literal,
      )
      .map(([name, value, flag]) => ({
        kind: 'attribute' as const,
        path: name,
        comparison: '=' as const,
        value,
        ...flag,
      })),
  },
  path.map(name => ({ kind: 'exists' as const, field: { path: name } })),
  path.map(name => ({ kind: 'between' as const, field: { path: name }, from: 1, to: 50 })),
)
const search: fc.Arbitrary<Query> = fc.oneof(
  { weight: 3, arbitrary: term },
  term.map(query => ({ kind: 'not' as const, query })),
  fc
    .tuple(fc.constantFrom('and' as const, 'or' as const), term, term)
    .map(([kind, left, right]) => ({ kind, left, right })),
)

async function compareAll(t: Test, database: Database, searches: readonly Query[], read = results) {
  for (const query of searches) {
    await database.reading(undefined, async source => {
      const [filtered, unfiltered] = [await read(source, query), await read(withoutFilters(source), query)]
      t.same(filtered, unfiltered, JSON.stringify(query))
    })
  }
}

t.test('a search returns the same events with and without filters', async t => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(storedEvent, { minLength: 6, maxLength: 12 }),
      fc.array(storedEvent, { minLength: 1, maxLength: 8 }),
      fc.array(search, { minLength: 30, maxLength: 30 }),
      async (first, second, searches) => {
        await t.test('store', async t => {
          const { database, buildFilters, sealSegment } = await openFiltered(t)
          await database.append(first, [])
          sealSegment()
          await database.append(second, [])
          await buildFilters()
          await compareAll(t, database, searches)

          const builds = [{ service: null, release: '1.0' }]
          const stacks = await database.reading(undefined, source => storedStacks(source, builds, 10))
          const changes = stacks.map(({ key }) => ({ key, fingerprint: 'ab12cd34ef' }))
          await database.writing(async (connection, segments) => {
            for (const segment of segments) await regroup(connection, segment, builds, changes)
          })
          await database.retain({ maxAgeMs: dayMs, maxBytes: 1e9 }, noonMs + dayMs)
          await database.append(first.slice(0, 3), [])
          const changed: Query = { kind: 'text', text: 'AB12cd' }
          await compareAll(t, database, [...searches.slice(0, 10), changed], moreResults)
        })
      },
    ),
    { numRuns: 3 },
  )
})

/** Fields of an event, and a search that must find only this event. */
const cases: readonly [Partial<NewEvent>, Query][] = [
  [{ body: 'Card declined' }, { kind: 'text', text: 'RD DECL' }],
  [{ body: '\u212Aelvin' }, { kind: 'text', text: 'kelvin' }],
  [{ body: 'in \u0130stanbul' }, { kind: 'text', text: 'in \u0130stanbul' }],
  [{ body: 'karłowo' }, { kind: 'text', text: 'karłowo' }],
  [{ body: 'STRASSE ÄBC' }, { kind: 'field', field: 'message', comparison: '=', value: 'strasse äbc' }],
  [{ body: '100%_done, or not' }, { kind: 'field', field: 'message', comparison: '=', value: '*%_done*not' }],
  [{ attributes: { path: 'a "quoted" C:\\temp' } }, { kind: 'text', text: 'a "quoted" C:\\temp' }],
  [{ attributes: { path: 'b "quoted" D:\\temp\n' } }, attributeIs('path', 'b "quoted" D:\\temp\n')],
  [{ attributes: { total: 1e21 } }, attributeIs('total', '1e21')],
  [{ attributes: { list: [1e21, 'last'] } }, attributeIs('list', '*1e21,"last"]')],
  [{ attributes: { small: 1e-7 } }, attributeIs('small', '1e-7')],
  [{ attributes: { order: 123_456 } }, attributeIs('order', '123456')],
  [{ attributes: { amount: '42.50' } }, { kind: 'attribute', path: 'amount', comparison: '=', value: 42.5 }],
  [{ attributes: { flag: true } }, { kind: 'attribute', path: 'flag', comparison: '=', value: true }],
  [{ attributes: { 'cart.total': 'pro' } }, attributeIs('cart.total', 'PRO')],
  [{ attributes: { cart: { items: ['first', 'second'] } } }, attributeIs('cart.items.1', 'second')],
  [{ attributes: { 'sch"lüssel': 'wert' } }, { kind: 'exists', field: { path: 'sch"lüssel' } }],
  [{ digest: '4163817072@E352' }, { kind: 'field', field: 'digest', comparison: '=', value: '4163817072' }],
  [{ digest: '5163817072' }, { kind: 'field', field: 'digest', comparison: '=', value: '5163817072@E352' }],
  [{ digest: '6163817072@E353' }, { kind: 'field', field: 'digest', comparison: '=', value: '*@E353' }],
  [{ fingerprint: 'deadbeef01' }, { kind: 'text', text: 'DEADbeef' }],
  [{ traceId: '2776893fd973a7cb0ce3d5d0c818a674' }, { kind: 'text', text: '893FD973A7CB0ce3d5d0' }],
  [{ traceId: '3776aaaad973a7cb0ce3d5d0c818a674' }, { kind: 'text', text: '3776aaaad' }],
  [
    { spanId: '0ce3d5d0c818a674' },
    { kind: 'field', field: 'span', comparison: '=', value: '0CE3d5d0c818a674' },
  ],
  [{ requestId: 'Req-1A2b' }, { kind: 'field', field: 'request', comparison: '=', value: 'req-1a2B' }],
  [{ requestId: 'req-*-literal' }, fieldEquals('request', 'req-*-literal')],
  [{ requestId: '550E8400-e29b-41d4-a716-446655440000' }, { kind: 'text', text: 'e29b-41d4-a716-4466' }],
  [{ requestId: 'line\nbreak' }, fieldEquals('request', 'line\nbreak')],
  [{ route: '/api/orders/:id' }, { kind: 'field', field: 'route', comparison: '=', value: '/API/*/:id' }],
  [
    { exception: { type: 'TypeError', message: 'is not a function', stack: 'at pay (pay.js:1:2)' } },
    { kind: 'field', field: 'exception', comparison: '=', value: '*not a func*' },
  ],
  [
    { exception: { type: 'RangeError', message: 'out of range', stack: 'at total (cart.js:18:23)' } },
    { kind: 'text', text: 'total (cart.js' },
  ],
]

function attributeIs(path: string, value: string): Query {
  return { kind: 'attribute', path, comparison: '=', value }
}

t.test('finds an event by each kind of value', async t => {
  const { database, buildFilters } = await openFiltered(t)
  const events = cases.flatMap(([overrides]) => [
    anEvent(overrides),
    ...Array.from({ length: 4 }, () => anEvent()),
  ])
  const stored = await database.append(events, [])
  await buildFilters()
  for (const [index, [, query]] of cases.entries()) {
    await database.reading(undefined, async source => {
      const { events } = await eventPage(source, { window, query, limit: 10 }, wholeEvent)
      t.same(
        events.map(({ id }) => id),
        [stored[index * 5]?.id],
        JSON.stringify(query),
      )
    })
  }
})
