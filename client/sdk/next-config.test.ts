import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { expectConsoleMessage } from '../../scripts/tap-setup.ts'
import { withSixpane } from './next-config.ts'
import { production } from './testing/production.ts'
import { uploadServer } from './testing/upload-server.ts'

const map = { version: 3, sources: ['../../app/page.jsx'], names: [], mappings: 'AAAA' }

type Config = {
  distDir?: string
  env?: Record<string, string>
  productionBrowserSourceMaps?: boolean
  experimental?: object
  compiler?: { runAfterProductionCompile?: (build: object) => Promise<void> }
  webpack?: (config: { plugins?: unknown[] }, context: object) => { plugins?: unknown[] }
}

/** Creates a project that contains the output of a build. */
function project(t: Test, hasHook = true) {
  const folder = t.testdir({
    'node_modules/next/dist/build': hasHook ? { 'after-production-compile.js': '' } : {},
    app: { 'page.jsx': 'export default 1' },
    '.next': {
      'build-manifest.json': '{}',
      dev: { 'old.js': 'x', 'old.js.map': JSON.stringify(map) },
      server: {
        'page.js': '"use strict";a()\n//# sourceMappingURL=page.js.map',
        'page.js.map': JSON.stringify(map),
      },
      static: {
        'main.js': 'b()\n\n//# sourceMappingURL=0a1b.js.map\n/* built */\n',
        '0a1b.js.map': JSON.stringify(map),
        'main.css': 'p{}\n/*# sourceMappingURL=main.css.map*/',
        'main.css.map': '{}',
      },
    },
  })
  t.intercept(process, 'cwd', { value: () => folder })
  return { folder, build: { projectDir: folder, distDir: join(folder, '.next') } }
}

const read = (...path: string[]) => readFile(join(...path), 'utf8')

t.test('a build gets debug ids, uploads its maps and does not publish them', async t => {
  production(t)
  const messages = t.capture(console, 'log')
  const { folder, build } = project(t)
  const { url, uploads } = await uploadServer(t)
  const base: Config = { env: { OWN: '1' }, experimental: { own: true } }
  const config = withSixpane(base, { url, service: 'shop', release: '1.4.0' })
  t.match(config, {
    env: { OWN: '1', SIXPANE_RELEASE: '1.4.0' },
    productionBrowserSourceMaps: true,
    experimental: { own: true, serverSourceMaps: true },
  })
  await config.compiler?.runAfterProductionCompile?.(build)
  t.match(uploads, [
    {
      path: 'server/page.js',
      release: '1.4.0',
      service: 'shop',
      map: { sourcesContent: ['export default 1'] },
    },
    { path: 'static/main.js', release: '1.4.0', service: 'shop' },
  ])
  t.match(
    messages().map(({ args }) => args[0]),
    [/^\(sixpane\) 2 of 2 source maps of release 1\.4\.0/],
  )
  const script = await read(folder, '.next/static/main.js')
  const [, inCode] = /debugId=(\S+)/.exec(script) ?? []
  t.equal(inCode, uploads[1]?.debugId)
  t.match(script, /^b\(\)\n/)
  t.notMatch(script, 'sourceMappingURL')
  t.notMatch(await read(folder, '.next/static/main.css'), 'sourceMappingURL')
  t.notOk(existsSync(join(folder, '.next/static/0a1b.js.map')))
  t.notOk(existsSync(join(folder, '.next/static/main.css.map')))
  const server = await read(folder, '.next/server/page.js')
  t.match(
    server,
    /^"use strict";a\(\)\n;try[\s\S]*\n\/\/# debugId=\S+\n\/\/# sourceMappingURL=page\.js\.map\n$/,
  )
  t.ok(existsSync(join(folder, '.next/server/page.js.map')))
})

t.test('deletes source map comments only at the end of files', async t => {
  production(t)
  t.capture(console, 'log')
  const { folder, build } = project(t)
  const { url } = await uploadServer(t)
  const code = 'const map = name => `\n//# sourceMappingURL=` + name\na()'
  await writeFile(join(folder, '.next/static/library.js'), code)
  await writeFile(join(folder, '.next/static/main.js'), `${code}\n//# sourceMappingURL=0a1b.js.map\n`)
  expectConsoleMessage(t, '(sixpane)')
  const config: Config = withSixpane({}, { url })
  await config.compiler?.runAfterProductionCompile?.(build)
  t.equal(await read(folder, '.next/static/library.js'), code)
  const main = await read(folder, '.next/static/main.js')
  t.ok(main.startsWith(`${code}\n;`))
  t.notMatch(main, '0a1b')
})

t.test('finds Next.js in a monorepo application that is built from the root', async t => {
  production(t)
  const { folder } = project(t)
  const bin = join(folder, 'node_modules/next/dist/bin/next')
  t.intercept(process, 'cwd', { value: () => dirname(folder) })
  t.intercept(process, 'argv', { value: [process.execPath, bin, 'build'] })
  const config: Config = withSixpane({}, { url: 'http://127.0.0.1:3000' })
  t.ok(config.compiler?.runAfterProductionCompile)
  t.equal(config.webpack, undefined, 'builds with Turbopack fail if there is a configuration for webpack')
})

t.test('settings in the configuration take precedence, and its compile hook still runs', async t => {
  production(t)
  t.capture(console, 'log')
  const { folder, build } = project(t)
  const { url } = await uploadServer(t)
  let calls = 0
  const config: Config = withSixpane(
    {
      productionBrowserSourceMaps: true,
      experimental: { serverSourceMaps: false, sri: { algorithm: 'sha256' } },
      compiler: {
        async runAfterProductionCompile() {
          calls += 1
        },
      },
    },
    { url },
  )
  t.match(config, { experimental: { serverSourceMaps: false } })
  await config.compiler?.runAfterProductionCompile?.(build)
  t.equal(calls, 1)
  t.ok(existsSync(join(folder, '.next/static/0a1b.js.map')), 'the application publishes its maps')
  t.notMatch(
    await read(folder, '.next/static/main.js'),
    'debugId',
    'files with integrity hashes do not change',
  )
})

t.test('accepts functions and promises, and does not change the configuration in development', async t => {
  production(t)
  const fn = withSixpane(async (phase: string) => ({ phase }), { release: '2' })
  t.match(await fn('build'), { phase: 'build', env: { SIXPANE_RELEASE: '2' } })
  t.match(await withSixpane(Promise.resolve({ own: 1 }), { release: '2' }), {
    own: 1,
    env: { SIXPANE_RELEASE: '2' },
  })
  production(t, { NODE_ENV: 'development' })
  const config = {}
  t.equal(withSixpane(config), config)
})

t.test(
  'the release comes from the option, the configuration or the environment; a random one is the same in all workers',
  async t => {
    const releaseIn = (env: Record<string, string>, release?: string) => {
      production(t, env)
      const config: Config = withSixpane({}, release === undefined ? {} : { release })
      return config.env?.SIXPANE_RELEASE
    }
    const env = { SIXPANE_RELEASE: 'a', NEXT_DEPLOYMENT_ID: 'b', VERCEL_GIT_COMMIT_SHA: 'c' }
    t.equal(releaseIn(env, 'o'), 'o')
    t.equal(releaseIn(env), 'a')
    production(t, env)
    const config: Config = withSixpane({ env: { SIXPANE_RELEASE: 'own' } })
    t.equal(config.env?.SIXPANE_RELEASE, 'own', 'the configuration already sets the release')
    t.equal(releaseIn({ ...env, SIXPANE_RELEASE: '' }), 'b')
    t.equal(releaseIn({ VERCEL_GIT_COMMIT_SHA: 'c' }), 'c')
    t.intercept(process, 'cwd', { value: () => t.testdirName })
    const random = releaseIn({ GIT_DIR: '/nowhere' })
    t.match(random, /^[\da-f-]{36}$/)
    const again: Config = withSixpane({})
    t.equal(again.env?.SIXPANE_RELEASE, random)
  },
)

t.test('a failed upload does not fail the build or publish maps', async t => {
  production(t)
  expectConsoleMessage(t, '(sixpane)')
  const { folder, build } = project(t)
  const { url } = await uploadServer(t, 413)
  const config: Config = withSixpane({}, { url })
  await config.compiler?.runAfterProductionCompile?.(build)
  t.notOk(existsSync(join(folder, '.next/static/0a1b.js.map')))
})

t.test('for an unreadable build, a warning is printed and no maps are published', async t => {
  production(t)
  expectConsoleMessage(t, /^\(sixpane\) .*so stack traces of this release may stay minified: Error: EISDIR/)
  const { folder, build } = project(t)
  await rm(join(folder, '.next/build-manifest.json'))
  await mkdir(join(folder, '.next/build-manifest.json'))
  const config: Config = withSixpane({}, { url: 'http://127.0.0.1:1' })
  await config.compiler?.runAfterProductionCompile?.(build)
  t.notOk(existsSync(join(folder, '.next/static/0a1b.js.map')))
})

t.test('without a URL, only the release is set; an invalid URL is an error', async t => {
  production(t)
  t.same(withSixpane({}, { release: '1' }), { env: { SIXPANE_RELEASE: '1' } })
  t.throws(() => withSixpane({}, { url: 'console.example' }), /must be a URL such as/)
})

t.test('in Next.js versions without a compilation hook, a webpack plugin uploads the maps', async t => {
  production(t)
  t.capture(console, 'log')
  const { folder } = project(t, false)
  const { url, uploads } = await uploadServer(t)
  const config: Config = withSixpane(
    // Next.js exports to this folder, and compiles to another.
    { distDir: 'build', webpack: (config: { plugins?: unknown[] }) => ({ ...config, plugins: ['own'] }) },
    { url },
  )
  t.equal(config.compiler, undefined)
  t.same(config.webpack?.({}, { dir: folder, isServer: true, config: { distDir: '.next' } }), {
    plugins: ['own'],
  })
  const done: (() => Promise<void>)[] = []
  const context = { dir: folder, isServer: false, config: { distDir: '.next' } }
  const plugins = config.webpack?.({}, context).plugins ?? []
  t.equal(plugins[0], 'own')
  const compiler = {
    hooks: { done: { tapPromise: (_name: string, run: () => Promise<void>) => void done.push(run) } },
  }
  for (const plugin of plugins) {
    const apply: unknown = Reflect.get(Object(plugin), 'apply')
    if (typeof apply === 'function') Reflect.apply(apply, plugin, [compiler])
  }
  for (const run of done) await run()
  t.same(
    uploads.map(({ path }) => path),
    ['server/page.js', 'static/main.js'],
  )
})
