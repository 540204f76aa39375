import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { expectConsoleMessage } from '../../scripts/tap-setup.ts'
import { production } from './testing/production.ts'
import { uploadServer } from './testing/upload-server.ts'
import sixpane from './vite.ts'

const map = JSON.stringify({ version: 3, sources: ['../../src/main.js'], names: [], mappings: 'AAAA' })

/** Creates a project with the output of a build. */
function project(t: Test) {
  return t.testdir({
    src: { 'main.js': 'fail()' },
    dist: {
      client: { 'main.js': 'a()\n', 'main.js.map': map },
      server: { 'entry.js': 'b()\n', 'entry.js.map': map },
    },
  })
}

/** Calls the hooks of the plugin as Vite does when it builds the client and the server. */
async function build(
  plugin: ReturnType<typeof sixpane>,
  root: string,
  config: Parameters<typeof plugin.config>[0] = {},
  hasEnvironments = true,
  watchMode = false,
) {
  const extended = plugin.config({ root, ...config }, { command: 'build' })
  for (const consumer of ['client', 'server']) {
    plugin.configResolved({ root, build: { ssr: consumer === 'server' } })
    const environment = hasEnvironments ? { environment: { config: { consumer } } } : {}
    await plugin.writeBundle.handler.call(
      { ...environment, meta: { watchMode } },
      {
        dir: join(root, 'dist', consumer),
      },
    )
  }
  return extended
}

for (const hasEnvironments of [true, false]) {
  t.test(
    `uploads the maps and does not publish them, ${hasEnvironments ? 'with' : 'without'} environments`,
    async t => {
      production(t)
      t.capture(console, 'log')
      const root = project(t)
      const { url, uploads } = await uploadServer(t)
      const plugin = sixpane({ url, service: 'shop', release: '1.4.0' })
      const config = await build(plugin, root, {}, hasEnvironments)
      t.match(config, {
        define: { 'process.env.SIXPANE_RELEASE': '"1.4.0"' },
        build: { sourcemap: 'hidden' },
      })
      t.match(uploads, [
        { path: 'main.js', release: '1.4.0', service: 'shop', map: { sourcesContent: ['fail()'] } },
        { path: 'entry.js', release: '1.4.0', service: 'shop' },
      ])
      t.same(await readdir(join(root, 'dist/client')), ['main.js'])
      t.same(await readdir(join(root, 'dist/server')), ['entry.js', 'entry.js.map'], 'server maps stay')
      t.match(await readFile(join(root, 'dist/client/main.js'), 'utf8'), `//# debugId=${uploads[0]?.debugId}`)
    },
  )
}

t.test('does not warn about the files of an earlier output to the same folder', async t => {
  production(t)
  t.capture(console, 'log')
  const root = project(t)
  const { url, uploads } = await uploadServer(t)
  const plugin = sixpane({ url, release: '1' })
  await build(plugin, root)
  const dir = join(root, 'dist/client')
  await writeFile(join(dir, 'legacy.js'), 'c()\n')
  await writeFile(join(dir, 'legacy.js.map'), map)
  await writeFile(join(dir, 'copied.js'), 'd()\n')
  expectConsoleMessage(t, 'no source map for 1 of 2 code files, so frames in them stay minified (copied.js)')
  await plugin.writeBundle.handler.call(
    { environment: { config: { consumer: 'client' } }, meta: {} },
    { dir },
  )
  t.same(
    uploads.map(({ path }) => path),
    ['main.js', 'entry.js', 'legacy.js'],
  )
})

t.test('keeps the maps that the configuration asks for', async t => {
  production(t)
  t.capture(console, 'log')
  const root = project(t)
  const { url, uploads } = await uploadServer(t)
  const config = await build(sixpane({ url, release: '1' }), root, { build: { sourcemap: true } })
  t.notOk('build' in config)
  t.equal(uploads.length, 2)
  t.same(await readdir(join(root, 'dist/client')), ['main.js', 'main.js.map'])
})

t.test('creates maps even if a framework turns them off in one environment', async t => {
  production(t)
  const plugin = sixpane({ url: 'http://127.0.0.1:3000', release: '1' })
  plugin.config({}, { command: 'build' })
  t.same(plugin.configEnvironment('client', { build: { sourcemap: false } }), {
    build: { sourcemap: 'hidden' },
  })
  t.equal(plugin.configEnvironment('ssr', { build: { sourcemap: true } }), undefined)
})

t.test(
  'leaves environments unchanged if there is no URL, in development, or if the configuration sets sourcemap',
  async t => {
    production(t)
    const url = 'http://127.0.0.1:3000'
    const cases = [
      { options: { release: '1' }, config: {}, command: 'build' },
      { options: { url, release: '1' }, config: {}, command: 'serve' },
      { options: { url, release: '1' }, config: { build: { sourcemap: false } }, command: 'build' },
    ] as const
    for (const { options, config, command } of cases) {
      const plugin = sixpane(options)
      plugin.config(config, { command })
      t.equal(plugin.configEnvironment('client', { build: { sourcemap: false } }), undefined)
    }
  },
)

t.test('without a URL, sets only the release', async t => {
  production(t, { SIXPANE_RELEASE: 'from-env' })
  const root = project(t)
  const config = await build(sixpane(), root)
  t.same(config.define, { 'process.env.SIXPANE_RELEASE': '"from-env"' })
  t.notOk('build' in config)
  t.equal(await readFile(join(root, 'dist/client/main.js'), 'utf8'), 'a()\n')
})

t.test('in development, only sets the release to undefined', async t => {
  production(t)
  t.same(sixpane({ url: 'http://127.0.0.1:3000' }).config({}, { command: 'serve' }), {
    define: { 'process.env.SIXPANE_RELEASE': 'undefined' },
  })
})

t.test('uploads nothing when Vite watches files', async t => {
  production(t)
  const root = project(t)
  const { url, uploads } = await uploadServer(t)
  await build(sixpane({ url }), root, {}, true, true)
  t.same(uploads, [])
})

t.test('a failed upload does not prevent the build or publish maps', async t => {
  production(t)
  t.capture(console, 'log')
  expectConsoleMessage(t, 'source maps were uploaded')
  expectConsoleMessage(t, 'SIXPANE_TOKEN')
  const root = project(t)
  const { url } = await uploadServer(t, 401)
  await build(sixpane({ url, release: '1' }), root)
  t.same(await readdir(join(root, 'dist/client')), ['main.js'])
})

t.test('an invalid URL causes a clear error', async t => {
  production(t)
  t.throws(() => sixpane({ url: 'sixpane' }), { message: /the url of sixpane\/vite, or SIXPANE_URL,/ })
})
