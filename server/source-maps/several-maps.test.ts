import t from 'tap'
import type { NewEvent } from '../../shared/event.ts'
import { anEvent } from '../store/conformance/testing.ts'
import { type Sixpane, send, sixpane, window } from './testing.ts'

/** Creates a map from `dist/index.js` to a source that throws on its third line, in a function with this name. */
function build(functionName: string, { at = 'AAEI', more = '' } = {}): Buffer {
  const source = `// ${more}\nexport function ${functionName}() {\n    throw new Error('x')\n}`
  return Buffer.from(
    JSON.stringify({
      version: 3,
      sources: [`../src/${functionName}.ts`],
      sourcesContent: [source],
      mappings: at,
    }),
  )
}

/** Creates an event with an exception thrown in `dist/index.js`. The function name is minified by default. */
const failing = (service: string, functionName = 't', release = '1') =>
  anEvent({
    service,
    release,
    timeMs: Date.now(),
    exception: {
      type: 'Error',
      message: 'x',
      stack: `Error: x\n    at ${functionName} (/app/dist/index.js:1:1)`,
    },
  })

const uploadBuild = ({ upload }: Sixpane, service: string | null, json: Buffer, release = '1') =>
  upload({ release, path: 'dist/index.js', service, json })

async function place({ failures }: Sixpane, event: NewEvent) {
  const [frame] = await failures.frames(event.exception?.stack ?? '', event)
  return frame?.unmapped === null ? `${frame.file}:${frame.line}` : frame?.unmapped
}

async function fingerprints({ store }: Sixpane) {
  const { events } = await store.events({ window, query: { kind: 'all' }, limit: 99 })
  const stored = await Promise.all(events.map(({ id }) => store.event(id)))
  return stored.map(event => [event?.service, event?.fingerprint] as const)
}

t.test(
  'services with the same release and file get their own source lines, regardless of the upload order',
  async t => {
    const console = await sixpane(t)
    await uploadBuild(console, 'a', build('cart'))
    await send(console, failing('a'))
    const before = await fingerprints(console)
    t.equal(await place(console, failing('a')), 'src/cart.ts:3')
    t.match(await place(console, failing('b')), {
      word: 'source map is for another service',
      explanation: /stored only for a\./,
    })

    await send(console, failing('b'))
    const [[, unmapped] = []] = await fingerprints(console)
    await uploadBuild(console, 'b', build('stock'))
    t.equal(await place(console, failing('a')), 'src/cart.ts:3')
    t.equal(await place(console, failing('b')), 'src/stock.ts:3')
    const [[, mapped] = [], ...others] = await fingerprints(console)
    t.same(others, before)
    t.not(mapped, unmapped)
    t.not(mapped, before[0]?.[1])
  },
)

t.test('a map without a service applies to services that have no maps', async t => {
  const console = await sixpane(t)
  await uploadBuild(console, null, build('cart'))
  await send(console, failing('a'))
  const before = await fingerprints(console)
  t.equal(await place(console, failing('a')), 'src/cart.ts:3')
  await uploadBuild(console, 'b', build('stock'))
  t.equal(await place(console, failing('a')), 'src/cart.ts:3')
  t.equal(await place(console, failing('b')), 'src/stock.ts:3')
  t.same(await fingerprints(console), before)
})

t.test('frames of a release that was built twice are ambiguous if its maps disagree', async t => {
  const console = await sixpane(t)
  const [written] = await console.failures.frames(failing('a').exception?.stack ?? '')
  await send(console, failing('a'))
  const raw = await fingerprints(console)
  await uploadBuild(console, 'a', build('cart'))
  t.strictNotSame(await fingerprints(console), raw)
  await uploadBuild(console, 'a', build('stock'))
  await send(console, failing('a'))
  const [frame] = await console.failures.frames(failing('a').exception?.stack ?? '', failing('a'))
  t.match(frame, {
    functionName: written?.functionName,
    file: written?.file,
    line: 1,
    column: 1,
    code: null,
    unmapped: {
      word: 'ambiguous',
      positions: [
        { file: 'src/stock.ts', line: 3, service: 'a', uploadedMs: Number },
        { file: 'src/cart.ts', line: 3, service: 'a', uploadedMs: Number },
      ],
    },
  })
  t.same(await fingerprints(console), [...raw, ...raw], 'fingerprints are based on the unmapped stack')
})

t.test('source maps uploaded after the events do not change fingerprints of other services', async t => {
  const console = await sixpane(t)
  for (const service of ['a', 'b']) await send(console, failing(service))
  const [[, raw] = []] = await fingerprints(console)
  await uploadBuild(console, 'b', build('stock'))
  t.match(new Map(await fingerprints(console)), new Map([['a', raw]]))
  t.not(new Map(await fingerprints(console)).get('b'), raw)
})

t.test(
  'an event is regrouped after the upload of a map with its debug id, regardless of the service',
  async t => {
    const console = await sixpane(t)
    const withDebugId = (id: string) => ({
      ...failing('a'),
      attributes: { debugIds: { '/app/dist/index.js': id } },
    })
    for (const id of ['aa', 'bb']) await send(console, withDebugId(id))
    const [[, raw] = []] = await fingerprints(console)
    await console.upload({
      release: '2',
      path: 'dist/index.js',
      service: 'b',
      debugId: 'aa',
      json: build('cart'),
    })
    t.equal(await place(console, withDebugId('aa')), 'src/cart.ts:3')
    t.match(await place(console, withDebugId('bb')), { word: 'source map is for another release' })
    const [[, other] = [], [, mapped] = []] = await fingerprints(console)
    t.equal(other, raw)
    t.not(mapped, raw)
  },
)

t.test('the position and the function name select one of several maps of a file', async t => {
  const nowhere = { at: ';AAEI' }
  const other = { more: 'another build' }
  const cases: [title: string, builds: Buffer[], functionName: string, expected: unknown][] = [
    ['the position is in only one map', [build('cart'), build('stock', nowhere)], 't', 'src/cart.ts:3'],
    [
      'the position is in no map',
      [build('a', nowhere), build('b', nowhere)],
      't',
      { word: 'not in the source map' },
    ],
    ['the function matches only one map', [build('cart'), build('stock')], 'stock', 'src/stock.ts:3'],
    ['the function matches no map', [build('cart'), build('stock')], 'pay', { word: 'ambiguous' }],
    ['a minified name is inconclusive', [build('t'), build('stock')], 't', { word: 'ambiguous' }],
    ['the maps agree on the position', [build('cart'), build('cart', other)], 't', 'src/cart.ts:3'],
    [
      'more maps than the limit',
      Array.from({ length: 9 }, (_, index) => build('cart', { more: `${index}` })),
      't',
      { word: 'ambiguous', positions: { length: 8 } },
    ],
  ]
  const console = await sixpane(t)
  for (const [title, builds, functionName, expected] of cases) {
    for (const [order, ordered] of Object.entries({ forwards: builds, backwards: builds.toReversed() })) {
      const release = `${title}, ${order}`
      for (const json of ordered) await uploadBuild(console, 'a', json, release)
      t.match(await place(console, failing('a', functionName, release)), expected, release)
    }
  }
})

t.test('the same map is stored once per service', async t => {
  const { maps, store } = await sixpane(t)
  const map = { release: '1', path: 'dist/index.js', debugId: null, json: build('cart') }
  for (const service of [null, 'a', 'b']) {
    t.match(await maps.add({ ...map, service }), { isNew: true, map: { service } })
    t.match(await maps.add({ ...map, service }), { isNew: false })
  }
  t.same((await store.sourceMaps.list()).map(({ service }) => service).sort(), [null, 'a', 'b'].sort())
})
