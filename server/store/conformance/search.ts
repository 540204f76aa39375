import fc from 'fast-check'
import type { Test } from 'tap'
import type { Query, QueryField } from '../../../shared/query.ts'
import { queryFields } from '../../../shared/query-help.ts'
import { allEvents, anEvent, findMessages, type MakeLocation, openStore, testWindow } from './testing.ts'

const field = (
  name: QueryField,
  value: string | number,
  comparison: '=' | '<' | '<=' | '>' | '>=' = '=',
): Query => ({
  kind: 'field',
  field: name,
  comparison,
  value,
})
const attribute = (
  path: string,
  value: string | number | boolean,
  comparison: '=' | '>' | '<=' = '=',
): Query => ({
  kind: 'attribute',
  path,
  comparison,
  value,
})
const text = (words: string): Query => ({ kind: 'text', text: words })
const not = (query: Query): Query => ({ kind: 'not', query })

const joined = (kind: 'and' | 'or', queries: readonly Query[]): Query =>
  queries.reduce((left, right) => ({ kind, left, right }))

/** The same query with a quoted value, in which `*` has no special meaning. */
const quotedValue = (query: Query): Query =>
  query.kind === 'field' || query.kind === 'attribute' ? { ...query, literal: true } : query

/** Tests that searches have the same meaning in every engine. */
export async function search(t: Test, make: MakeLocation): Promise<void> {
  await t.test('a quoted value contains no wildcards', async t => {
    const store = await openStore(t, make)
    await store.append([
      anEvent({ body: 'route', route: '/api/*', digest: 'a*@E1', attributes: { path: '/A/*' }, status: 500 }),
      anEvent({ body: 'other', route: '/api/b', digest: 'ab@E1', attributes: { path: '/a/b' }, status: 500 }),
    ])
    for (const [query, both] of [
      [field('route', '/API/*'), 2],
      [field('digest', 'a*'), 2],
      [field('digest', 'A*@E1'), 2],
      [attribute('path', '/a/*'), 2],
      [field('message', '*o*'), 2],
      [field('exception', '*'), 0],
      [field('status', '5*'), 2],
    ] as const) {
      t.equal((await findMessages(store, query)).length, both, JSON.stringify(query))
    }
    for (const query of [
      field('route', '/API/*'),
      field('digest', 'a*'),
      field('digest', 'A*@E1'),
      attribute('path', '/a/*'),
    ]) {
      t.same(await findMessages(store, quotedValue(query)), ['route'], JSON.stringify(query))
    }
    t.same(await findMessages(store, quotedValue(field('message', '*o*'))), [])
    t.same(await findMessages(store, quotedValue(field('status', '5*'))), [])
  })

  await t.test('a digest pattern with wildcards and a suffix finds only events with this suffix', async t => {
    const store = await openStore(t, make)
    await store.append([
      anEvent({ body: 'E352', digest: '4163817072@E352' }),
      anEvent({ body: 'E1', digest: '4163817072@E1' }),
      anEvent({ body: 'bare', digest: '2338471072' }),
      anEvent({ body: 'none' }),
    ])
    for (const [value, expected] of [
      ['*@E352', ['E352']],
      ['4163*@e352', ['E352']],
      ['*@E*', ['E352', 'E1']],
      ['*072', ['E352', 'E1', 'bare']],
      ['4163*', ['E352', 'E1']],
      ['4163817072@E9', ['E352', 'E1']],
      ['2338471072@E9', ['bare']],
    ] as const)
      t.same(await findMessages(store, field('digest', value)), expected, value)
  })

  await t.test('searches fields, attributes and text', async t => {
    const store = await openStore(t, make)
    await store.append([
      anEvent({
        body: 'order',
        severity: 'error',
        service: 'API',
        release: '1.4.0',
        requestId: 'Req-1',
        traceId: 'ab'.repeat(16),
        spanId: 'cd'.repeat(8),
        method: 'POST',
        route: '/api/orders/:id',
        status: 503,
        durationMs: 12.5,
        exception: { type: 'TypeError', message: 'Card declined', stack: 'at pay (pay.js:1:2)' },
        digest: '4163817072@E352',
        fingerprint: 'f00dfeed01',
        attributes: {
          user: { id: 42, 'e.mail': 'Ann@Example.org' },
          'http.status': '503',
          ok: false,
          list: ['x', { y: 1 }],
        },
      }),
      anEvent({
        body: 'basket 100%',
        severity: 'warn',
        status: 404,
        durationMs: 900,
        attributes: { user: { id: 7 }, ok: true },
      }),
      anEvent({ body: 'basket 100x', attributes: { nothing: null } }),
    ])
    const order = ['order']
    const percent = ['basket 100%']
    const other = ['basket 100x']
    const cases: [Query, string[]][] = [
      [allEvents, [...order, ...percent, ...other]],
      [field('service', 'api'), order],
      [field('service', 'ap'), []],
      [field('route', '/API/*'), order],
      [field('message', 'basket 100%'), percent],
      [field('message', 'basket 100_'), []],
      [field('message', '*100%'), percent],
      [field('message', '*100%*'), percent],
      [field('message', 'B*T*100%'), percent],
      [field('message', 'b*t*100_'), []],
      [field('message', 'b*t*100p'), []],
      [field('message', 'b*t*%p'), []],
      [field('message', 'b*t*x'), other],
      [field('message', '*T*K*'), []],
      [field('message', 'BASKET*'), [...percent, ...other]],
      [field('status', 503), order],
      [field('status', 404, '>='), [...order, ...percent]],
      [field('status', '5*'), order],
      [field('duration', 12.5, '<='), order],
      [field('release', '1.4.*'), order],
      [field('method', 'post'), order],
      [field('source', 'NDJSON'), [...order, ...percent, ...other]],
      [field('severity', 'warn', '>='), [...order, ...percent]],
      [field('severity', 'warn', '>'), order],
      [field('severity', 'warn', '<'), other],
      [field('severity', 'ERR*'), order],
      [field('severity', 'loud'), []],
      [field('exception', 'typeerror'), order],
      [field('exception', '*declined'), order],
      [field('request', 'req-1'), order],
      [field('trace', 'AB'.repeat(16)), order],
      [field('span', 'cd*'), order],
      [field('fingerprint', 'f00dfeed01'), order],
      [field('digest', '4163817072'), order],
      [field('digest', '4163817072@E352'), order],
      [field('digest', '4163817072@E1'), order],
      [field('digest', '41638'), []],
      [field('digest', 4163817072), order],
      [field('release', 1, '>'), []],
      [attribute('user.id', 42), order],
      [attribute('user.id', '42'), order],
      [attribute('user.id', 6, '>'), [...order, ...percent]],
      [attribute('user.e.mail', 'x'), []],
      [attribute('http.status', 503), order],
      [attribute('http.status', '5*'), order],
      [attribute('ok', true), percent],
      [attribute('ok', 'FALSE'), order],
      [attribute('list.0', 'X'), order],
      [attribute('list.1.y', 1), order],
      [attribute('list.4294967296', 'x'), []],
      [attribute('list.99999999999999999999', 'x'), []],
      [text('BASKET'), [...percent, ...other]],
      [text('100%'), percent],
      [text('100_'), []],
      [text('card DECLINED'), order],
      [text('pay.js:1'), order],
      [text('req-1'), order],
      [text('abab'), order],
      [text('ann@example'), order],
      [text('"y":1'), []],
      [text(''), [...order, ...percent, ...other]],
      [not(field('route', '/x')), [...order, ...percent, ...other]],
      [not(not(field('digest', '*'))), order],
      [not(text('basket')), order],
      [{ kind: 'and', left: text('basket'), right: not(attribute('ok', true)) }, other],
      [{ kind: 'or', left: field('status', 503), right: field('status', 404) }, [...order, ...percent]],
      [{ kind: 'exists', field: 'digest' }, order],
      [{ kind: 'exists', field: 'status' }, [...order, ...percent]],
      [{ kind: 'exists', field: { path: 'user.id' } }, [...order, ...percent]],
      [{ kind: 'exists', field: { path: 'nothing' } }, other],
      [{ kind: 'exists', field: { path: 'list.1' } }, order],
      [{ kind: 'exists', field: { path: 'list.4294967296' } }, []],
      [{ kind: 'exists', field: { path: 'list.99999999999999999999' } }, []],
      [{ kind: 'between', field: 'status', from: 404, to: 503 }, [...order, ...percent]],
      [{ kind: 'between', field: 'duration', from: 13, to: 900 }, percent],
      [{ kind: 'between', field: { path: 'user.id' }, from: 7, to: 41 }, percent],
    ]
    for (const [query, expected] of cases)
      t.same(await findMessages(store, query), expected, JSON.stringify(query))
  })

  await t.test('a dot in an attribute path separates keys, or belongs to a key', async t => {
    const store = await openStore(t, make)
    const attributes = {
      user: { id: 1 },
      'http.status': 2,
      kubernetes: { pod: 'p', 'pod.name': 'api-1', labels: { 'app.kubernetes.io/name': 'shop' } },
      'http.header': { accept: { type: 'json' }, list: ['x'] },
      'container.labels': { 'com.docker.compose.service': 'web' },
    }
    await store.append([
      anEvent({ body: 'all', attributes }),
      anEvent({ attributes: { user: { name: 'id' } } }),
    ])
    for (const [path, value] of [
      ['user.id', 1],
      ['http.status', 2],
      ['kubernetes.pod', 'p'],
      ['kubernetes.pod.name', 'api-1'],
      ['kubernetes.labels.app.kubernetes.io/name', 'shop'],
      ['http.header.accept.type', 'json'],
      ['http.header.list.0', 'x'],
      ['container.labels.com.docker.compose.service', 'web'],
    ] as const) {
      t.same(await findMessages(store, attribute(path, value)), ['all'], path)
      t.same(await findMessages(store, { kind: 'exists', field: { path } }), ['all'], path)
      const { events } = await store.events({
        window: testWindow,
        query: text('all'),
        limit: 1,
        attributes: [path],
      })
      t.same(events[0]?.attributeTexts, { [path]: String(value) })
    }
    t.same(await findMessages(store, { kind: 'exists', field: { path: 'kubernetes.pod.id' } }), [])
  })

  await t.test('numbers are compared by value, whatever their notation', async t => {
    const store = await openStore(t, make)
    await store.append([1e21, '1e21', 2e21].map(wei => anEvent({ body: String(wei), attributes: { wei } })))
    t.same(await findMessages(store, attribute('wei', 1e21)), ['1e+21', '1e21'])
  })

  await t.test('only decimal text is a number', async t => {
    const store = await openStore(t, make)
    const numbers = ['42', '+42', '4.2e1', '420E-1', '042', '42.', ' 42 ', 42]
    const zeros = ['0', '.0', '-0.', '-.0e+5', 0]
    const others = [
      'NaN',
      '-nan',
      'Infinity',
      '-Infinity',
      'inf',
      '4_2',
      '4_2.0',
      '0x2A',
      '4e',
      'e4',
      '.',
      '',
      '42 s',
      '42\n',
      '\t42',
      true,
    ]
    const values = [...numbers, ...zeros, ...others]
    await store.append(
      values.map((n, index) => anEvent({ body: String(index), release: String(n), attributes: { n } })),
    )
    const find = async (query: Query) =>
      (await findMessages(store, query)).map(index => values[Number(index)])
    const isNumber: Query = { kind: 'or', left: attribute('n', 0, '>'), right: attribute('n', 0, '<=') }
    t.same(await find(isNumber), [...numbers, ...zeros])
    t.same(await find({ kind: 'between', field: { path: 'n' }, from: -1e300, to: 1e300 }), [
      ...numbers,
      ...zeros,
    ])
    t.same(await find(attribute('n', 42)), numbers)
    t.same(await find(field('release', 0, '>')), numbers)
    const series = [{ path: 'n', aggregate: 'sum' as const }]
    const sums = await store.attributeSeries({ window: testWindow, query: allEvents }, series, 7_200_000)
    t.same(sums, [[42 * numbers.length]])
  })

  await t.test('finds events with integers of any size', async t => {
    const store = await openStore(t, make)
    const attributes = {
      user: { id: 42 },
      list: ['x', 'y'],
      max: 2 ** 64,
      min: -(2 ** 65),
      text: `"max":${2 ** 64},-99999999999999999999`,
      near: [2 ** 63, -(2 ** 63), 1e21, 1e-7, 0.0000012345678901234567],
    }
    await store.append([anEvent({ body: 'huge', attributes }), anEvent({ attributes: { max: 1 } })])
    const cases: Query[] = [
      attribute('user.id', 42),
      attribute('list.1', 'y'),
      attribute('max', 2 ** 64),
      attribute('max', 1, '>'),
      attribute('max', String(2 ** 64)),
      attribute('min', -1, '<='),
      attribute('text', attributes.text),
      text(String(2 ** 64)),
      { kind: 'exists', field: { path: 'user.id' } },
      { kind: 'between', field: { path: 'max' }, from: 2 ** 63, to: 2 ** 65 },
    ]
    for (const query of cases) t.same(await findMessages(store, query), ['huge'], JSON.stringify(query))
    const { events } = await store.wholeEvents({ window: testWindow, query: text('huge'), limit: 1 })
    t.strictSame(events[0]?.attributes, attributes)
  })

  await t.test('values are never interpreted as syntax', async t => {
    const store = await openStore(t, make)
    // All values are appended in one batch, because ClickHouse stores each batch in separate files.
    const services = new Map(
      Array.from(new Set(fc.sample(nasty, 30)), (value, index) => [value, `s${index}`] as const),
    )
    await store.append(
      [...services].flatMap(([value, service]) => [
        anEvent({
          body: value,
          service,
          requestId: value,
          attributes: { [value]: value, in: { [value]: value } },
        }),
        anEvent({ body: 'plain', service }),
      ]),
    )
    for (const [value, service] of services) {
      const attributes: Query[] = value.includes('.')
        ? []
        : [
            attribute(value, value),
            attribute(`in.${value}`, value),
            { kind: 'exists', field: { path: value } },
          ]
      const conditions = [field('message', value), field('request', value), text(value), ...attributes]
      const check = async (query: Query, expected: string) =>
        t.same(
          await findMessages(store, { kind: 'and', left: field('service', service), right: query }),
          [expected],
          JSON.stringify(query),
        )
      // Each condition matches the first event, and none matches the other.
      await check(joined('and', conditions), value)
      await check(joined('or', conditions), value)
      await check(not(joined('or', conditions)), 'plain')
    }
    t.equal((await store.stats()).events, services.size * 2)
  })

  await t.test('runs every query that the search language can express', async t => {
    const store = await openStore(t, make)
    await store.append([
      anEvent({ attributes: { a: { b: 'c' } } }),
      anEvent({ status: 200, durationMs: 1 }),
      anEvent({ body: 'long '.repeat(1000), attributes: { a: 'long '.repeat(1000) } }),
    ])
    await fc.assert(
      fc.asyncProperty(anySearch, async query => {
        const matching = await findMessages(store, query)
        const excluded = await store.histogram({ window: testWindow, query: not(query) }, 7_200_000)
        const excludedEvents = excluded.reduce((sum, { counts }) => sum + counts.info, 0)
        t.equal(matching.length + excludedEvents, 3)
      }),
      { numRuns: 40 },
    )
  })

  await t.test('a search with many terms combines the results of its terms', async t => {
    const store = await openStore(t, make)
    const padding = 'long '.repeat(1000)
    const texts = ['alpha', 'beta', 'gamma', 'delta']
    const bodies = texts.flatMap((word, index) => [word, `${word} ${texts[(index + 1) % 4]}`])
    await store.append(
      bodies.flatMap((body, index) => [
        anEvent({ body, severity: index % 2 === 0 ? 'warn' : 'info', attributes: { n: index, at: body } }),
        anEvent({ body: `${body} in ${padding}`, exception: { type: 'E', message: body, stack: null } }),
        anEvent({ body: `attribute ${index}`, attributes: { at: `${body} in ${padding}`, n: index } }),
      ]),
    )
    const all = await findMessages(store, allEvents)
    const leaf = fc.oneof(
      fc.constantFrom(...texts, 'ALPHA BETA', 'in', 'long', 'abc', 'missing').map(text),
      fc.constantFrom('alpha', 'alpha*', '*BETA*', 'g*m*l*g*', '*_*a*').map(value => field('message', value)),
      fc.constantFrom('alpha', 'alpha*', '*BETA*', 'g*m*l*g*').map(value => attribute('at', value)),
      fc.constantFrom('beta', '*gamma*').map(value => field('exception', value)),
      fc.integer({ min: 0, max: 7 }).map(value => attribute('n', value, '>')),
      fc.constantFrom('open', 'resolved').map(value => field('failure', value)),
      fc.constant(field('severity', 'warn', '>=')),
    )
    const results = new Map<string, Set<string>>()
    const foundBy = async (query: Query) => {
      const key = JSON.stringify(query)
      const known = results.get(key) ?? new Set(await findMessages(store, query))
      results.set(key, known)
      return known
    }
    const isFound = async (body: string, query: Query): Promise<boolean> => {
      if (query.kind === 'not') return !(await isFound(body, query.query))
      if (query.kind === 'and') return (await isFound(body, query.left)) && isFound(body, query.right)
      if (query.kind === 'or') return (await isFound(body, query.left)) || isFound(body, query.right)
      return (await foundBy(query)).has(body)
    }
    await fc.assert(
      fc.asyncProperty(treeOf(leaf), async query => {
        const expected: string[] = []
        for (const body of all) if (await isFound(body, query)) expected.push(body)
        t.same(await findMessages(store, query), expected)
      }),
      { numRuns: 12 },
    )
  })

  await t.test('runs a query with more than a hundred terms', async t => {
    const store = await openStore(t, make)
    await store.append([anEvent()])
    const words = Array.from({ length: 120 }, () => text('basket'))
    t.equal((await findMessages(store, joined('and', words))).length, 1)
    const rightToLeft = words.reduce((left, right) => ({ kind: 'or', left: right, right: left }))
    t.equal((await findMessages(store, rightToLeft)).length, 1)
  })
}

/** Text that reveals incorrect escaping. Never empty, never a substring of `plain`, and without wildcards. */
const nasty = fc
  .array(
    fc.constantFrom(
      "'",
      '"',
      '\\',
      '%',
      '_',
      ';',
      '--',
      '$1',
      '?',
      '/*',
      '\0',
      '\n',
      '😀',
      'É',

      '~1',
      '/',
      '.',
      "');DROP TABLE event;",
      'ſ',
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map(parts => parts.join('').replaceAll('*', ''))

const value = fc.oneof(nasty, fc.string(), fc.constantFrom('*', '**', 'c', '*c*'))
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true }))
const comparison = fc.constantFrom('=', '<', '<=', '>', '>=')
const path = fc.oneof(value, fc.constantFrom('a', 'a.b', 'a.', '.', ''))
const place = fc.oneof(fc.constantFrom(...queryFields), fc.record({ path }))

const { anyQuery } = fc.letrec<{ anyQuery: Query }>(tie => ({
  anyQuery: fc.oneof(
    { depthSize: 'small' },
    fc.record({ kind: fc.constant('text'), text: value }),
    fc.record({
      kind: fc.constant('field'),
      field: fc.constantFrom(...queryFields),
      comparison: fc.constant('='),
      value,
    }),
    fc.record({
      kind: fc.constant('field'),
      field: fc.constantFrom(...queryFields),
      comparison,
      value: number,
    }),
    fc.record({
      kind: fc.constant('attribute'),
      path,
      comparison,
      value: fc.oneof(number, fc.boolean(), value),
    }),
    fc.record({ kind: fc.constant('exists'), field: place }),
    fc.record({ kind: fc.constant('between'), field: place, from: number, to: number }),
    fc.record({ kind: fc.constant('not'), query: tie('anyQuery') }),
    fc.record({ kind: fc.constantFrom('and', 'or'), left: tie('anyQuery'), right: tie('anyQuery') }),
  ),
}))

/** Queries with 4 to 50 terms, some negated, joined by AND and OR in any structure. */
function treeOf(leaf: fc.Arbitrary<Query>): fc.Arbitrary<Query> {
  const step = fc.record({ leaf, kind: fc.constantFrom('and', 'or'), isNegated: fc.boolean() })
  return fc.tuple(leaf, fc.array(step, { minLength: 3, maxLength: 49, size: 'max' })).map(([first, steps]) =>
    steps.reduce<Query>((tree, { leaf, kind, isNegated }, index) => {
      const joined: Query =
        index % 2 === 0 ? { kind, left: tree, right: leaf } : { kind, left: leaf, right: tree }
      return isNegated ? not(joined) : joined
    }, first),
  )
}

const anySearch = fc.oneof({ weight: 4, arbitrary: anyQuery }, { weight: 1, arbitrary: treeOf(anyQuery) })
