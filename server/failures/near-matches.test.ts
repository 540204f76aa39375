import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { NewEvent } from '../../shared/event.ts'
import { type Sixpane, send, sixpane } from '../source-maps/testing.ts'
import { anEvent } from '../store/conformance/testing.ts'
import { openMemoryStore } from '../store/memory/store.ts'
import { detectAlerts } from './detect-alerts.ts'
import { resolution } from './resolve-policy.ts'
import { createSignatures } from './signatures.ts'
import { framesIn } from './testing.ts'

/** The source files of a build. `src/main.ts` exports `run`, which throws. */
type Sources = Record<string, string>

const price = `export function priceOf(item: any) {
  if (item === 'free') throw new RangeError('item ' + Math.random() + ' has no price')
  return item.length
}`
const cart = `import { priceOf } from './price.ts'
export function totalOf(items: any[]) { return items.reduce((sum, item) => sum + priceOf(item), 0) }`
const main = `import { totalOf } from './lib/cart.ts'
function checkout(items: any[]) { return totalOf(items) }
export async function run() { await null; return checkout(['free']) }`
const shop: Sources = { 'src/lib/price.ts': price, 'src/lib/cart.ts': cart, 'src/main.ts': main }

function moved(sources: Sources, from: RegExp, to: string, inCode = to): Sources {
  return Object.fromEntries(
    Object.entries(sources).map(([path, code]) => [path.replace(from, to), code.replace(from, inCode)]),
  )
}

/** Variants of the shop's next release, each with one change and the same bug. */
const sameBug: Record<string, Sources> = {
  'the throwing function is renamed': {
    ...shop,
    'src/lib/price.ts': price.replace('priceOf', 'amountOf'),
    'src/lib/cart.ts': cart.replaceAll('priceOf', 'amountOf'),
  },
  'a caller is renamed': { ...shop, 'src/main.ts': main.replaceAll('checkout', 'placeOrder') },
  'the folder is moved': moved(shop, /lib\//, 'core/shop/'),
  'the throwing file is renamed': moved(shop, /price\.ts/, 'amounts.ts'),
  'a wrapper is added around a caller': {
    ...shop,
    'src/lib/traced.ts': 'export function traced<T>(work: () => T): T { return work() }',
    'src/main.ts': `import { traced } from './lib/traced.ts'\n${main}`.replace(
      'return totalOf(items)',
      'return traced(() => totalOf(items))',
    ),
  },
  'the lines move': moved(shop, /^import/, 'import', '// moved down\n\n\nimport'),
  'a caller becomes asynchronous': {
    ...shop,
    'src/main.ts': main
      .replace('function checkout', 'async function checkout')
      .replace('{ return totalOf', '{ await null; return totalOf'),
  },
  'the outer callers are lost at an asynchronous call': {
    ...shop,
    'src/main.ts': `import { totalOf } from './lib/cart.ts'
const later = () => new Promise(resolve => setImmediate(resolve))
export function run() { return later().then(() => totalOf(['free'])) }`,
  },
}

const callers = (name: string, folder: string) => ({
  'src/lib/price.ts': price,
  [`src/${folder}/${name}.ts`]: `import { priceOf } from '../lib/price.ts'
export function ${name}() { return priceOf('free') }`,
  'src/main.ts': `import { ${name} } from './${folder}/${name}.ts'
function handle() { return ${name}() }
export async function run() { await null; return handle() }`,
})

/** Pairs of releases with different bugs. */
const differentBugs: Record<string, [Sources, Sources]> = {
  'another message from the same function': [
    shop,
    { ...shop, 'src/lib/price.ts': price.replace('has no price', 'is sold out') },
  ],
  'another type from the same function': [
    shop,
    { ...shop, 'src/lib/price.ts': price.replace('RangeError', 'TypeError') },
  ],
  'a helper called by another feature': [callers('invoice', 'billing'), callers('refund', 'returns')],
  'another throwing function in another file': [
    shop,
    {
      'src/lib/stock.ts': price.replaceAll('priceOf', 'stockOf'),
      'src/lib/cart.ts': cart.replaceAll('priceOf', 'stockOf').replace('price.ts', 'stock.ts'),
      'src/main.ts': main,
    },
  ],
}

type Build = { event: NewEvent; maps: { path: string; json: Buffer }[] }

/** Builds and runs a release, either minified for browsers with a source map, or file by file for Node. */
async function buildRelease(t: Test, sources: Sources, release: string, isMinified: boolean): Promise<Build> {
  const root = await mkdtemp(join(tmpdir(), 'sixpane-'))
  t.teardown(() => rm(root, { recursive: true }))
  await writeFile(join(root, 'package.json'), '{"type":"module"}')
  for (const [path, code] of Object.entries(sources)) {
    await mkdir(join(root, dirname(path)), { recursive: true })
    await writeFile(join(root, path), isMinified ? code : code.replaceAll(".ts'", ".js'"))
  }
  const common = { absWorkingDir: root, format: 'esm', write: false, outdir: 'dist' } as const
  const { outputFiles } = await build(
    isMinified
      ? {
          ...common,
          entryPoints: { main: 'src/main.ts' },
          bundle: true,
          minify: true,
          sourcemap: 'external',
          entryNames: '[name]-[hash]',
        }
      : { ...common, entryPoints: Object.keys(sources), outbase: '.' },
  )
  for (const { path, contents } of outputFiles) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, contents)
  }
  const file = outputFiles.find(({ path }) => /main[^/]*\.js$/.test(path))?.path ?? ''
  const module: { run(): Promise<unknown> } = await import(pathToFileURL(file).href)
  const error: unknown = await module.run().catch((thrown: unknown) => thrown)
  if (!(error instanceof Error)) throw new Error('The sample did not fail')
  const stack = (error.stack ?? '')
    .split('\n')
    .filter(line => !line.includes('/server/failures/'))
    .join('\n')
    .replaceAll(pathToFileURL(join(root, 'dist')).href, isMinified ? 'https://shop.example' : '/srv')
  const exception = { type: error.name, message: error.message, stack }
  const maps = outputFiles
    .filter(({ path }) => path.endsWith('.map'))
    .map(({ path, contents }) => ({
      path: path.slice(join(root, 'dist').length + 1, -'.map'.length),
      json: Buffer.from(contents),
    }))
  return { event: anEvent({ release, severity: 'error', timeMs: Date.now(), exception }), maps }
}

/** Uploads the source maps of a build, sends its event and detects failures. Returns the failure id and the alert kinds. */
async function occur(console: Sixpane, { event, maps }: Build) {
  const release = event.release ?? ''
  for (const map of maps) await console.upload({ ...map, release })
  await send(console, event)
  const { store, signatures } = console
  const { failureStates } = store
  await signatures.joinNearMatches(await failureStates.scan(100))
  const scan = await failureStates.scan(100)
  const { alerts, findings } = detectAlerts(scan)
  await failureStates.commit({ ...findings, position: scan.position })
  const [newest] = (await store.wholeEvents({ window: around(), query: { kind: 'all' }, limit: 1 })).events
  return { id: await store.failureId(newest?.fingerprint ?? ''), kinds: alerts.map(({ kind }) => kind) }
}

const around = () => ({ fromMs: Date.now() - 60_000, toMs: Date.now() + 60_000 })

for (const isMinified of [false, true]) {
  const kind = isMinified ? 'minified' : 'unminified'

  t.test(`the same bug in two ${kind} releases is one failure`, async t => {
    for (const [name, next] of Object.entries(sameBug)) {
      await t.test(name, async t => {
        const console = await sixpane(t)
        await console.store.failureStates.init()
        const first = await occur(console, await buildRelease(t, shop, '1.0.0', isMinified))
        const second = await occur(console, await buildRelease(t, next, '1.1.0', isMinified))
        t.same(first.kinds, ['new'])
        t.same(second, { id: first.id, kinds: [] })
      })
    }
  })

  t.test(`different bugs in two ${kind} releases are two failures`, async t => {
    for (const [name, [one, other]] of Object.entries(differentBugs)) {
      await t.test(name, async t => {
        const console = await sixpane(t)
        await console.store.failureStates.init()
        const first = await occur(console, await buildRelease(t, one, '1.0.0', isMinified))
        const second = await occur(console, await buildRelease(t, other, '1.1.0', isMinified))
        t.not(second.id, first.id)
        t.same(second.kinds, ['new'])
      })
    }
  })
}

t.test('a resolved failure whose events were deleted returns after a rename', async t => {
  const console = await sixpane(t)
  const { store } = console
  await store.failureStates.init()
  const { id } = await occur(console, await buildRelease(t, shop, '1.0.0', false))
  await store.failureStates.resolve(
    id,
    resolution(['shop'], await store.releases(['shop']), null, Date.now()),
  )
  const tomorrowMs = Date.now() + 86_400_000
  await store.retain({ maxAgeMs: 1, maxBytes: Number.MAX_SAFE_INTEGER }, tomorrowMs)
  t.equal(await store.failure(id, 60_000, around()), null)
  const renamed = sameBug['the throwing function is renamed'] ?? {}
  t.same(await occur(console, await buildRelease(t, renamed, '2.0.0', false)), { id, kinds: ['returned'] })
  t.match(await store.failure(id, 60_000, around()), { state: 'open', returned: { release: '2.0.0' } })
})

type Sample = { fingerprint: string; release: string | null; type: string; message: string; frames: string[] }

const sample: fc.Arbitrary<Sample> = fc.record({
  fingerprint: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  release: fc.constantFrom(null, '1.0.0', '1.1.0', '2.0.0', 'abc', 'def'),
  type: fc.constantFrom('RangeError', 'TypeError'),
  message: fc.constantFrom('no price', 'no stock'),
  frames: fc.array(fc.constantFrom('total lib/cart', 'sum lib/cart', 'total core/cart', 'pay lib/pay'), {
    minLength: 2,
    maxLength: 4,
  }),
})

/** Stores the samples in one batch, detects failures, and returns each sample's failure id. */
async function grouped(samples: readonly Sample[]): Promise<Map<string, string>> {
  const store = openMemoryStore()
  await store.failureStates.init()
  await store.append(
    samples.map(({ fingerprint, release, type, message, frames }) => {
      const lines = frames.map(frame => {
        const [name, file] = frame.split(' ')
        return `    at ${name} (/app/${file}.js:1:1)`
      })
      const exception = { type, message, stack: [`${type}: ${message}`, ...lines].join('\n') }
      return anEvent({ fingerprint, release, exception })
    }),
  )
  const signatures = createSignatures({ store, failures: { frames: framesIn } })
  await signatures.joinNearMatches(await store.failureStates.scan(100))
  const ids = samples.map(
    async ({ fingerprint }) => [fingerprint, await store.failureId(fingerprint)] as const,
  )
  return new Map(await Promise.all(ids))
}

t.test(
  'never joins failures that differ in type or message or share a release, and ignores the order of arrival',
  async () => {
    const samples = fc.uniqueArray(sample, { selector: ({ fingerprint }) => fingerprint, minLength: 2 })
    const shuffled = samples.chain(all =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    )
    await fc.assert(
      fc.asyncProperty(shuffled, async ([all, other]) => {
        const ids = await grouped(all)
        for (const one of all) {
          for (const two of all) {
            if (one === two || ids.get(one.fingerprint) !== ids.get(two.fingerprint)) continue
            if (one.type !== two.type || one.message !== two.message) return false
            if (one.release === null || one.release === two.release) return false
          }
        }
        // Skip releases that are not versions: their order depends on when they were first seen.
        if (all.some(({ release }) => release === 'abc' || release === 'def')) return true
        const again = await grouped(other)
        return all.every(({ fingerprint }) => ids.get(fingerprint) === again.get(fingerprint))
      }),
      { numRuns: 300 },
    )
  },
)

t.test('releases that are not versions are ordered separately for each service', async t => {
  const store = openMemoryStore()
  await store.failureStates.init()
  const occurrence = (service: string, release: string, minute: number, name: string) => {
    const stack = `RangeError: no price\n    at ${name} (/app/lib/cart.js:1:1)\n    at pay (/app/lib/pay.js:1:1)`
    const exception = { type: 'RangeError', message: 'no price', stack }
    const timeMs = Date.now() - 60_000 + minute * 1000
    return anEvent({ fingerprint: `${name}-${service}`, service, release, timeMs, exception })
  }
  await store.append([
    occurrence('blog', 'def', 1, 'sum'),
    occurrence('blog', 'abc', 2, 'total'),
    occurrence('shop', 'abc', 1, 'total'),
    occurrence('shop', 'def', 2, 'sum'),
  ])
  const signatures = createSignatures({ store, failures: { frames: framesIn } })
  await signatures.joinNearMatches(await store.failureStates.scan(100))
  for (const service of ['blog', 'shop']) {
    t.equal(await store.failureId(`total-${service}`), await store.failureId(`sum-${service}`), service)
  }
})
