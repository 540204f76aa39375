import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build as bundle } from 'esbuild'
import t, { type Test } from 'tap'
import type { Attributes, Exception } from '../../shared/event.ts'
import { createFailures, type Failures } from './failures.ts'
import { bundleShop, cartSource, type ShopRelease } from './testing.ts'

const unlabelled = [{ price: { total: 1 }, label: { text: '' } }]
const priceless = [{ label: { text: 'x' } }]
const nameless = [{ price: { total: 1 } }]
const negative = [{ price: { total: -5 }, label: { text: 'x' } }]

/** The fields of a build that `createFailures` needs: the source map folder, file names and version. */
function buildIn(root: string, names: string[], version: string) {
  const chunks = names.map(name => ({ name, rawBytes: 0, gzipBytes: 0, brotliBytes: 0 }))
  return { mapsFolder: join(root, 'dist/maps'), chunks, serverFiles: ['main.js', 'export-spans.js'], version }
}

type Release = {
  failures: Failures
  root: string
  chunk: string
  version: string
  fault(items: unknown, how?: 'checkout' | 'submit'): Promise<Error>
}

/** Builds a release in its own folder as scripts/build.mjs does, and loads it. */
async function release(t: Test, version: ShopRelease, { maps = true } = {}): Promise<Release> {
  const root = await mkdtemp(join(tmpdir(), 'sixpane-'))
  t.teardown(() => rm(root, { recursive: true }))
  const outputFiles = await bundleShop(root, version, 'dist/assets')
  for (const { path, contents } of outputFiles) {
    const target = path.endsWith('.map') ? path.replace('/assets/', '/maps/') : path
    await mkdir(join(target, '..'), { recursive: true })
    if (maps || target === path) await writeFile(target, contents)
  }
  const file = outputFiles.find(({ path }) => path.endsWith('.js'))?.path ?? ''
  const chunk = file.slice(file.lastIndexOf('/') + 1)
  const module: Record<string, (items: unknown) => unknown> = await import(pathToFileURL(file).href)
  return {
    failures: createFailures({ build: buildIn(root, [chunk], version) }),
    root,
    chunk,
    version,
    async fault(items, how = 'checkout') {
      try {
        await module[how]?.(items)
      } catch (error) {
        if (error instanceof Error) return error
      }
      throw new Error('The sample did not fail')
    },
  }
}

const of = (release: string | null) => ({ service: 'sixpane', release, attributes: {} })

/** Converts an error from this process to the form in which a browser would report it. */
function asReported({ name, message, stack }: Error, { root }: Release): Exception {
  const inBrowser = (stack ?? '').replaceAll(`${pathToFileURL(root).href}/dist`, 'https://shop.example')
  return {
    type: name,
    message,
    stack: inBrowser
      .split('\n')
      .filter(line => !line.includes('/server/failures/'))
      .join('\n'),
  }
}

t.test(
  'a fault has the same digest in two releases, and different faults have different digests',
  async t => {
    const [first, second] = [await release(t, 'first'), await release(t, 'second')]
    t.not(first.chunk, second.chunk)
    const digests = new Set<string>()
    for (const items of [unlabelled, priceless, nameless, negative]) {
      const [one, other] = await Promise.all(
        [first, second].map(async each =>
          each.failures.describeReported(asReported(await each.fault(items), each)),
        ),
      )
      t.match(one?.digest, /^[\da-f]{10}$/)
      t.equal(one?.digest, other?.digest)
      digests.add(one?.digest ?? '')
    }
    t.equal(digests.size, 4)
  },
)

t.test('maps a stack to functions, files and lines of the source code', async t => {
  const each = await release(t, 'second')
  const { exception, digest } = await each.failures.describeReported(
    asReported(await each.fault(negative), each),
  )
  t.match(exception.stack, /^RangeError: negative price of -5\n/)
  t.match(
    exception.stack,
    / at plus \(client\/price\.ts:11:\d+\)\n {4}at sumOf \(client\/cart\.ts:\d+:\d+\)\n {4}at checkout \(client\/entry\.ts:4:\d+\)/,
  )
  t.equal(each.failures.fingerprint(exception), digest, 'the mapped stack has the same fingerprint')
})

t.test('an async function and the function that it calls have their own names in the stack', async t => {
  const each = await release(t, 'first')
  const { exception } = await each.failures.describeReported(
    asReported(await each.fault(priceless, 'submit'), each),
  )
  t.match(
    exception.stack,
    / at checkout \(client\/entry\.ts:2:\d+\)\n {4}at submit \(client\/entry\.ts:3:\d+\)/,
  )
})

t.test('a mapped frame includes its source code', async t => {
  const each = await release(t, 'first')
  const reported = asReported(await each.fault(unlabelled), each)
  const { exception } = await each.failures.describeReported(reported)
  const [unmapped] = await each.failures.frames(reported.stack ?? '')
  const [mapped] = await each.failures.frames(exception.stack ?? '', of('first'))
  t.match(unmapped, { functionName: 'sumOf', file: 'client/cart.ts', line: 6, inApp: true })
  t.same(unmapped?.code, { firstLine: 1, lines: cartSource.split('\n') })
  t.same(mapped, unmapped)
  for (const other of [of('second'), of(null), undefined]) {
    const [frame] = await each.failures.frames(exception.stack ?? '', other)
    t.equal(frame?.code, null, 'lines may differ in another release')
  }
})

t.test('without source maps, the stack is unchanged and the digest is stable', async t => {
  const [first, second] = [
    await release(t, 'first', { maps: false }),
    await release(t, 'second', { maps: false }),
  ]
  const [one, other] = await Promise.all(
    [first, second].map(async each =>
      each.failures.describeReported(asReported(await each.fault(negative), each)),
    ),
  )
  t.match(one?.exception.stack, `https://shop.example/assets/${first.chunk}:`)
  t.equal(one?.digest, other?.digest)
})

t.test('a broken source map leaves the frame unchanged', async t => {
  for (const broken of [
    '',
    '{',
    '{"version":3}',
    '{"version":3,"sources":["a"],"names":[],"mappings":5}',
    'null',
  ]) {
    const each = await release(t, 'first')
    await writeFile(join(each.root, 'dist', 'maps', `${each.chunk}.map`), broken)
    const { exception } = await each.failures.describeReported(asReported(await each.fault(negative), each))
    t.match(exception.stack, `https://shop.example/assets/${each.chunk}:`, broken)
  }
})

t.test("maps each of the server's own files", async t => {
  const root = t.testdir({
    server: {
      'main.ts': `type T = string\n\nfunction boom(x: T) { throw new TypeError(x) }\nexport { boom }`,
      'export-spans.ts': `\n\nexport function boom(x: string) { throw new TypeError(x) }`,
    },
  })
  const entryPoints = { main: 'server/main.ts', 'export-spans': 'server/export-spans.ts' }
  await bundle({
    absWorkingDir: root,
    entryPoints,
    outdir: 'dist/server',
    bundle: true,
    format: 'esm',
    sourcemap: 'external',
  })
  const failures = createFailures({ build: buildIn(root, [], '1') })
  for (const [name, source] of Object.entries(entryPoints)) {
    const { boom } = await import(pathToFileURL(join(root, `dist/server/${name}.js`)).href)
    const thrown = await Promise.resolve('bad')
      .then(boom)
      .catch(error => error)
    const { exception } = await failures.describe(thrown)
    t.match(exception.stack, new RegExp(` at boom \\(${source}:3:\\d+\\)`))
  }
})

t.test('a reported stack cannot make the server read files other than its source maps', async t => {
  const root = t.testdir({
    'secret.js.map': JSON.stringify({
      version: 3,
      sources: ['a.ts'],
      sourcesContent: ['secret'],
      names: [],
      mappings: 'AAAA',
    }),
    dist: { maps: {}, server: {} },
  })
  const failures = createFailures({
    build: buildIn(root, [], '1'),
  })
  const files = [
    'https://h/assets/../../secret.js',
    'https://h/assets/..%2f..%2fsecret.js',
    `file://${root}/secret.js`,
    `${root}/secret.js`,
    '/assets/secret.js',
  ]
  for (const file of files) {
    const stack = `Error: x\n    at f (${file}:1:1)`
    t.match(
      (await failures.describeReported({ type: 'Error', message: 'x', stack })).exception.stack,
      `at f (${file}:1:1)`,
    )
    t.match(await failures.frames(stack, of('1')), [{ code: null }], file)
  }
})

t.test('frames without a map have the source lines that the sender read', async t => {
  const failures = createFailures({ build: buildIn(t.testdir({ dist: { maps: {}, server: {} } }), [], '1') })
  const stack = 'Error: x\n    at pay (/app/pay.js:18:9)\n    at main (/app/main.js:3:1)'
  const lines = { file: '/app/pay.js', line: 18, firstLine: 17, lines: ['function pay() {', '  throw x'] }
  const framesFor = (sourceLines: Attributes[string]) =>
    failures.frames(stack, { ...of('2'), attributes: { sourceLines } })
  t.match(await framesFor([lines]), [{ code: { firstLine: 17, lines: lines.lines } }, { code: null }])
  for (const wrong of [
    null,
    'text',
    [{ ...lines, line: 19 }],
    [{ ...lines, lines: 7 }],
    [{ ...lines, firstLine: 0 }],
  ])
    t.match(await framesFor(wrong), [{ code: null }, { code: null }])
})
