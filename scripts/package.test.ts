/** Packs the packages, installs them in another project and uses them there. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { brotliCompressSync } from 'node:zlib'
import * as esbuild from 'esbuild'
import t from 'tap'
import type { createSbom } from './build/sbom.mjs'
import { root } from './prepare/root.mjs'

const folder = await mkdtemp(join(tmpdir(), 'sixpane-package-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const project = join(folder, 'project')
const installed = join(project, 'node_modules', 'sixpane')
const installedServer = join(project, 'node_modules', 'sixpane-server')

/**
 * Runs a command offline and returns its output. Removes NODE_OPTIONS, because the compiler does not start with tap's
 * loaders.
 */
async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, npm_config_offline: 'true', npm_config_loglevel: 'error' }
  const child = spawn('env', ['-u', 'NODE_OPTIONS', command, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errorOutput, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  if (code !== 0)
    throw new Error(`${command} ${args.join(' ')} exited with code ${code}:\n${output}${errorOutput}`)
  return output
}

t.before(async () => {
  // Packs a copy, because packing adds files to the build, which other tests are using.
  const copy = join(folder, 'copy')
  const parts = [
    'package.json',
    'package-lock.json',
    'README.md',
    'LICENSE',
    'tsconfig.json',
    'dist',
    'scripts',
    'client',
    'server',
    'shared',
  ]
  // Preserves timestamps, because otherwise the build would be out of date, and packing would run another one.
  await mkdir(copy)
  await run(root, 'cp', '-a', ...parts, copy)
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  await run(copy, 'npm', 'run', 'package', '--', '--pack-destination', folder)
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  for (const [name, target] of [
    ['sixpane', installed],
    ['sixpane-server', installedServer],
  ] as const) {
    await mkdir(target, { recursive: true })
    await run(folder, 'tar', '-xzf', `${name}-${version}.tgz`, '-C', target, '--strip-components', '1')
  }
  await writeFile(join(project, 'package.json'), '{"name":"consumer","type":"module"}')
  for (const name of ['@duckdb', '@types', 'undici-types'])
    await symlink(join(root, 'node_modules', name), join(project, 'node_modules', name))
  // Links the commands of the packages, as an installation would.
  await run(project, 'npm', 'rebuild', '--ignore-scripts')
})

t.test('the packages contain only files that are needed at run time', async t => {
  const contentOf = async (target: string) => {
    const { dependencies = {} } = JSON.parse(await readFile(join(target, 'package.json'), 'utf8'))
    return { names: (await readdir(target)).sort(), dependencies: Object.keys(dependencies) }
  }
  const common = ['LICENSE', 'README.md', 'package.json']
  t.same(await contentOf(installed), { names: [...common, 'cli', 'sdk'].sort(), dependencies: [] })
  t.same(await contentOf(installedServer), {
    names: [...common, 'assets', 'manifest.json', 'maps', 'server'].sort(),
    dependencies: ['@duckdb/node-bindings'],
  })
})

t.test('the README of a package refers to no file that the package does not contain', async t => {
  for (const [name, target] of [
    ['sixpane', installed],
    ['sixpane-server', installedServer],
  ] as const) {
    const readme = await readFile(join(target, 'README.md'), 'utf8')
    t.match(readme, `# ${name}\n`)
    t.notMatch(readme, '](')
  }
})

t.test('the server code is ASCII, because other characters double its size in memory', async t => {
  const files = join(installedServer, 'server')
  for (const name of (await readdir(files)).filter(name => name.endsWith('.js'))) {
    const code = await readFile(join(files, name), 'utf8')
    // esbuild escapes such characters in strings, but not in regular expressions and `String.raw`.
    const first = code.search(/[^\0-\x7f]/)
    t.equal(
      first === -1 ? '' : code.slice(Math.max(0, first - 60), first + 1),
      '',
      `${name}: use \\u escapes`,
    )
  }
})

t.test('the dependencies in package.json are exactly the packages in the bundles', async t => {
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const manifest = JSON.parse(await readFile(join(installedServer, 'manifest.json'), 'utf8'))
  t.same(
    manifest.dependencies.map(({ name }: { name: string }) => name),
    Object.keys(dependencies).sort(),
  )
})

t.test(
  'the bill of materials lists every direct dependency with a licence and a hash, and no development tool',
  async t => {
    const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
    const sbom: ReturnType<typeof createSbom> = JSON.parse(
      await readFile(join(folder, 'copy', 'dist', 'sbom.json'), 'utf8'),
    )
    const names = new Set(sbom.components.map(({ name }) => name))
    for (const name of Object.keys(dependencies)) t.ok(names.has(name), name)
    for (const { name, licenses, hashes } of sbom.components) {
      t.ok(licenses?.length, `${name} has a licence`)
      t.notOk(packages[`node_modules/${name}`]?.dev, `${name} is not only for development`)
      // The lockfile has no hash of the bindings for other systems.
      const isOptional = name.startsWith('@duckdb/node-bindings-')
      if (!isOptional) t.match(hashes?.[0]?.content, /^[\da-f]{128}$/, name)
    }
  },
)

t.test('each export is one file that imports no packages, except React in sixpane/react-router', async t => {
  for (const name of [
    'sdk/pino',
    'sdk/next',
    'sdk/next-config',
    'sdk/astro',
    'sdk/express',
    'sdk/fastify',
    'sdk/nuxt',
    'sdk/nuxt-config',
    'sdk/react-router',
    'sdk/sveltekit',
    'sdk/tanstack-start',
    'sdk/vite',
    'sdk/request-ids',
    'sdk/sentry',
    'cli/main',
    'cli/shared-server',
    'sdk/browser',
  ]) {
    const { metafile } = await esbuild.build({
      entryPoints: [join(installed, `${name}.js`)],
      bundle: true,
      write: false,
      metafile: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
    })
    t.equal(Object.keys(metafile.inputs).length, 1, name)
    const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
    t.same(
      imported.filter(path => !isBuiltin(path)),
      name === 'sdk/react-router' ? ['react'] : [],
      name,
    )
    if (name === 'sdk/next') t.same(imported, [], 'the edge runtime has no built-in modules')
    if (name === 'sdk/sentry') t.same(imported, [], 'browsers have no built-in modules')
    if (name === 'sdk/browser') {
      t.same(imported, [], 'the browser module imports no built-in modules')
      t.ok(
        brotliCompressSync(await readFile(join(installed, 'sdk/browser.js'))).length < 3 * 1024,
        'less than 3 KiB',
      )
    }
  }
})

t.test('the exports can be imported and have correct types', async t => {
  const program = `
import * as pino from 'sixpane/pino'
import * as next from 'sixpane/next'
import * as nextConfig from 'sixpane/next/config'
import * as browser from 'sixpane/browser'
import fastify from 'sixpane/fastify'
import { requestIds } from 'sixpane/request-ids'
if (typeof fastify !== 'function' || typeof requestIds !== 'function') throw new Error('An export is missing')
console.log(Object.keys(nextConfig).length > 0, Object.keys(pino).length > 0, Object.keys(next).length > 0, Object.keys(browser).length > 0)
`
  await writeFile(join(project, 'main.js'), program)
  t.equal(await run(project, process.execPath, 'main.js'), 'true true true true\n')

  await writeFile(
    join(project, 'typed.ts'),
    `
import transport from 'sixpane/pino'
import { reportProxy, reportTo } from 'sixpane/next'
import { withSixpane } from 'sixpane/next/config'
import { onCaughtError, report, watch } from 'sixpane/browser'
import fastify from 'sixpane/fastify'
import { requestIds } from 'sixpane/request-ids'
import { digestIntegration } from 'sixpane/sentry'
export const integration: { name: string } = digestIntegration()
export const plugin: (app: never) => Promise<void> = fastify
export const traceId: string | undefined = requestIds().traceId
const release = process.env.SIXPANE_RELEASE
watch({ url: 'http://127.0.0.1:3000', service: 'shop', release })
report('any value')
onCaughtError(new Error('boom'), { componentStack: 'at Cart' })
// @ts-expect-error a URL is a string
watch({ url: 1, service: 'shop' })
export const stream = transport({ url: 'http://127.0.0.1:3000', service: 'shop', release })
// @ts-expect-error a name is a string
transport({ service: 1 })
export const onRequestError = reportTo({ service: 'shop', release })
// @ts-expect-error a name is a string
reportTo({ service: 1 })
export const proxy = reportProxy((request: Request) => Response.redirect(request.url))
export const own: { reactStrictMode: boolean } = withSixpane({ reactStrictMode: true }, { service: 'shop', release })
// @ts-expect-error a name is a string
withSixpane({}, { service: 1 })
`,
  )
  await writeFile(
    join(project, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        module: 'nodenext',
        target: 'es2022',
        lib: ['es2023', 'dom', 'dom.iterable'],
        types: ['node'],
        skipLibCheck: false,
      },
      files: ['typed.ts'],
    }),
  )
  t.equal(await run(project, join(root, 'node_modules', '.bin', 'tsc'), '-p', '.'), '')
})

t.test('the command starts the server, or reports that sixpane-server is not installed', async t => {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  t.equal(await run(project, 'npx', '--no-install', 'sixpane', '--version'), `${version}\n`)

  const server = spawn(join(project, 'node_modules', '.bin', 'sixpane'), ['serve'], {
    env: { PATH: process.env.PATH, PORT: '0', SIXPANE_DATA: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => server.kill('SIGKILL'))
  const exited = once(server, 'exit')
  for await (const line of createInterface({ input: server.stdout })) {
    const { msg, address } = JSON.parse(line)
    if (msg !== 'Started') continue
    t.equal((await fetch(new URL('/readyz', address))).status, 200)
    server.kill('SIGTERM')
  }
  t.same(await exited, [0, null])

  await rename(installedServer, join(folder, 'uninstalled'))
  await t.rejects(
    run(project, 'npx', '--no-install', 'sixpane', 'restore', 'backup.tar'),
    /the package sixpane-server is not installed\. Install it\n$/,
    'the command cannot use a running server',
  )
  const piped = run(project, 'sh', '-c', "printf 'a line\\n' | PORT=1 npx --no-install sixpane")
  await t.rejects(
    piped,
    /a line\n.*no events are stored: the package sixpane-server is not installed\. Install it, or set SIXPANE_URL/s,
  )
})
