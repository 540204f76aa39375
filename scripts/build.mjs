// @ts-check
/**
 * Builds the browser files (precompressed, with content hashes in their names), the server bundle, source maps for both
 * (never served) and a manifest.
 *
 *   dist/assets/        the files served at /assets/, each also as .br and .gz
 *   dist/maps/          source maps of the browser files
 *   dist/server/main.js the server, with its source map; in the same folder, the files that it loads when it needs them
 *   dist/sdk/           self-contained modules that connected services and web applications import
 *   dist/cli/main.js    the `sixpane` command
 *   dist/manifest.json  see server/build.ts
 *   dist/package.json, dist/package-lock.json  the packages that the server needs
 *   dist/sbom.json      the software bill of materials
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import * as esbuild from 'esbuild'
import { commonChunk, withImports } from './common-chunk.mjs'
import { fontSubsets } from './fonts.mjs'
import { externalPackages, installLockfile, serverManifest } from './install-manifest.mjs'
import { createSbom } from './sbom.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const browsers = ['chrome120', 'firefox121', 'safari17.4']

/** @typedef {esbuild.BuildResult<{ metafile: true, write: false }>} Built */
/** @typedef {{ name: string, rawBytes: number, gzipBytes: number, brotliBytes: number }} Chunk */

/**
 * Browser build options. The entry imports each screen dynamically, so each screen becomes a chunk.
 * @returns {esbuild.BuildOptions & { absWorkingDir: string, plugins: esbuild.Plugin[], metafile: true, write: false }}
 */
export function clientOptions() {
  return {
    absWorkingDir: root,
    entryPoints: { entry: 'client/entry.tsx', style: 'client/styles/index.css' },
    outdir: 'dist/assets',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: browsers,
    jsx: 'automatic',
    minify: true,
    sourcemap: 'external',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [fontSubsets],
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
  }
}

const serverEntries = {
  main: 'server/main.ts',
  restore: 'server/restore.ts',
  doctor: 'server/doctor.ts',
  copy: 'server/copy.ts',
  'pack-thread': 'server/source-maps/pack-thread.ts',
  'export-spans': 'server/tracing/export-spans.ts',
  'clickhouse-store': 'server/store/clickhouse/store.ts',
  'store-errors': 'server/store/store-errors.ts',
}

/**
 * Server build options. The bundle contains everything except the database's native bindings, so the server starts faster,
 * always uses React's production build, and needs only one installed package.
 * @returns {esbuild.BuildOptions & { metafile: true, write: false }}
 */
export function serverOptions() {
  return {
    absWorkingDir: root,
    entryPoints: serverEntries,
    plugins: [separateFiles],
    outdir: 'dist/server',
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    jsx: 'automatic',
    minifySyntax: true,
    // V8 keeps the text of loaded files in memory.
    minifyWhitespace: true,
    sourcemap: 'external',
    external: ['@duckdb/node-bindings'],
    define: { 'process.env.NODE_ENV': '"production"' },
    // Bundled CommonJS packages call `require` to load Node's built-in modules.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
  }
}

/** Files that the server loads only if the configuration needs them. */
const loadedOnDemand = ['export-spans', 'clickhouse-store']

/** The process must load these files only once: `instanceof` would not recognise a second copy of a class. */
const loadedOnce = ['store-errors']

/**
 * Keeps files out of the other bundles. esbuild's `splitting` would also do this, but it would split off each screen as well,
 * so the server would start more slowly.
 * @type {esbuild.Plugin}
 */
const separateFiles = {
  name: 'separate-files',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ path, resolveDir, kind }) => {
      if (kind === 'entry-point') return undefined
      const source = relative(root, join(resolveDir, path)).replaceAll('\\', '/')
      const [name = ''] = Object.entries(serverEntries).find(entry => entry[1] === source) ?? []
      const isSeparate = kind === 'dynamic-import' ? loadedOnDemand.includes(name) : loadedOnce.includes(name)
      return isSeparate ? { path: `./${name}.js`, external: true } : undefined
    })
  },
}

/**
 * Build options for the package's exports and command, for Node and browsers. Bundles include all dependencies, so connected
 * services do not install any.
 * @returns {(esbuild.BuildOptions & { metafile: true, write: false })[]}
 */
export function sdkOptions() {
  /** @satisfies {esbuild.BuildOptions} */
  const common = {
    absWorkingDir: root,
    outdir: 'dist',
    bundle: true,
    format: 'esm',
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
  }
  return [
    {
      ...common,
      entryPoints: {
        'sdk/pino': 'client/sdk/pino.ts',
        'sdk/next': 'client/sdk/next.ts',
        'sdk/next-config': 'client/sdk/next-config.ts',
        'sdk/astro': 'client/sdk/astro.ts',
        'sdk/express': 'client/sdk/express.ts',
        'sdk/fastify': 'client/sdk/fastify.ts',
        'sdk/nuxt': 'client/sdk/nuxt.ts',
        'sdk/nuxt-config': 'client/sdk/nuxt-config.ts',
        'sdk/react-router': 'client/sdk/react-router.ts',
        'sdk/sveltekit': 'client/sdk/sveltekit.ts',
        'sdk/tanstack-start': 'client/sdk/tanstack-start.ts',
        'sdk/vite': 'client/sdk/vite.ts',
        'sdk/request-ids': 'client/sdk/request-ids.ts',
        'sdk/sentry': 'client/sdk/sentry.ts',
        'cli/main': 'client/cli/main.ts',
      },
      platform: 'node',
      target: 'node20.19',
      external: ['react'],
    },
    {
      ...common,
      entryPoints: { 'sdk/browser': 'client/sdk/browser.ts' },
      target: browsers,
      minify: true,
      // Only web-vitals uses these property names, and only internally.
      mangleProps: /^(?:reportAllChanges|firstHiddenTime|onHidden)$/,
    },
  ]
}

/**
 * Writes the output of all builds to dist/. Writes the manifest last, so that the files it lists always exist.
 * @param {Built} client
 * @param {Built} server
 * @param {Built[]} sdk
 * @param {{ compress: boolean }} options `compress: false` makes development builds faster
 */
export async function writeBuild(client, server, sdk, { compress }) {
  const assets = client.outputFiles.filter(file => !file.path.endsWith('.map'))
  const maps = client.outputFiles.filter(file => file.path.endsWith('.map'))

  const folder = join(root, 'dist')
  const folders = ['assets', 'maps', 'server', 'sdk', 'cli']
  const next = join(folder, `.next-${process.pid}`)
  await rm(next, { recursive: true, force: true })
  for (const name of folders) await mkdir(join(next, name), { recursive: true })

  await Promise.all(maps.map(file => writeFile(join(next, 'maps', basename(file.path)), file.contents)))
  await Promise.all(
    server.outputFiles.map(file =>
      writeFile(join(next, 'server', basename(file.path)), withoutPackageSources(file)),
    ),
  )
  await Promise.all(
    sdk
      .flatMap(({ outputFiles }) => outputFiles)
      .map(file => writeFile(join(next, relative(folder, file.path)), file.contents)),
  )
  const chunks = await Promise.all(assets.map(file => writeAsset(join(next, 'assets'), file, compress)))
  chunks.sort((a, b) => b.rawBytes - a.rawBytes)

  await rm(join(folder, 'manifest.json'), { force: true })
  for (const name of folders) {
    await rm(join(folder, name), { recursive: true, force: true })
    await rename(join(next, name), join(folder, name))
  }
  await rm(next, { recursive: true, force: true })

  await writeInstallFiles(folder, client, server, sdk)
  const manifest = await describeBuild(client, server, chunks)
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
}

/**
 * @param {string} folder
 * @param {Built} client
 * @param {Built} server
 * @param {Built[]} sdk
 */
async function writeInstallFiles(folder, client, server, sdk) {
  const packageFile = await readJson('package.json')
  const lockfile = await readJson('package-lock.json')
  const manifest = serverManifest(packageFile, lockfile, externalPackages(server.metafile))
  const installed = installLockfile(lockfile, manifest)
  const { '': _server, ...added } = installed.packages
  const metafiles = [client, server, ...sdk].map(({ metafile }) => metafile)
  const sbom = createSbom(packageFile, metafiles, lockfile.packages, added)
  await writeFile(join(folder, 'sbom.json'), `${JSON.stringify(sbom, null, 2)}\n`)
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await writeFile(join(folder, 'package-lock.json'), `${JSON.stringify(installed, null, 2)}\n`)
}

/** @param {string} path */
async function readJson(path) {
  return JSON.parse(await readFile(join(root, path), 'utf8'))
}

/**
 * Removes package sources from the server's source map, because failures show only Sixpane's source, and the map stays in
 * memory after the first failure.
 * @param {esbuild.OutputFile} file
 */
function withoutPackageSources(file) {
  if (!file.path.endsWith('.map')) return file.contents
  const map = JSON.parse(file.text)
  map.sourcesContent = map.sourcesContent.map((/** @type {string} */ text, /** @type {number} */ index) =>
    map.sources[index].includes('node_modules/') ? null : text,
  )
  return JSON.stringify(map)
}

/** Builds everything for production. */
export async function build() {
  const [client, server, sdk] = await Promise.all([
    buildClient(),
    esbuild.build(serverOptions()),
    Promise.all(sdkOptions().map(options => esbuild.build(options))),
  ])
  return writeBuild(client, server, sdk, { compress: true })
}

async function buildClient() {
  const options = clientOptions()
  return esbuild.build({ ...options, plugins: [...options.plugins, await commonChunk(options)] })
}

/**
 * @param {string} folder
 * @param {esbuild.OutputFile} file
 * @param {boolean} compress
 * @returns {Promise<Chunk>}
 */
async function writeAsset(folder, file, compress) {
  const name = basename(file.path)
  await writeFile(join(folder, name), file.contents)
  const rawBytes = file.contents.byteLength
  // Web fonts are compressed already.
  if (!compress || name.endsWith('.woff2'))
    return { name, rawBytes, gzipBytes: rawBytes, brotliBytes: rawBytes }
  const [brotliBody, gzipBody] = await Promise.all([
    promisify(brotliCompress)(file.contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    promisify(gzip)(file.contents, { level: 9 }),
  ])
  await writeFile(join(folder, `${name}.br`), brotliBody)
  await writeFile(join(folder, `${name}.gz`), gzipBody)
  return { name, rawBytes, gzipBytes: gzipBody.byteLength, brotliBytes: brotliBody.byteLength }
}

/**
 * @param {Built} client
 * @param {Built} server
 * @param {Chunk[]} chunks
 */
async function describeBuild(client, server, chunks) {
  const outputs = Object.entries(client.metafile.outputs).filter(([path]) => !path.endsWith('.map'))
  /** @param {string} source */
  const outputOf = source => {
    const match = outputs.find(([, output]) => output.entryPoint === source)
    if (match === undefined) throw new Error(`The build has no output for ${source}`)
    return match[0]
  }
  const entry = outputOf('client/entry.tsx')
  const initialFiles = withImports(client.metafile.outputs, entry)
  const screens = Object.fromEntries(
    outputs
      .map(([path, output]) => [
        path,
        /^client\/screens\/(.+)\.tsx$/.exec(output.entryPoint ?? '')?.[1]?.replace(/\/index$/, ''),
      ])
      .filter(([, id]) => id !== undefined)
      .map(([path, id]) => [
        id,
        withImports(client.metafile.outputs, String(path))
          .filter(each => !initialFiles.includes(each))
          .map(each => basename(each)),
      ]),
  )

  const packageFile = await readJson('package.json')
  const names = chunks.map(chunk => chunk.name).sort()
  const serverFiles = server.outputFiles.filter(file => file.path.endsWith('.js'))
  return {
    version: `${packageFile.version}+${hash([...serverFiles.map(file => file.contents), ...names])}`,
    build: hash(names),
    builtAtMs: Date.now(),
    entry: basename(entry),
    style: basename(outputOf('client/styles/index.css')),
    fonts: names.filter(name => name.endsWith('.woff2')),
    shared: initialFiles.slice(1).map(each => basename(each)),
    screens,
    chunks,
    serverFiles: serverFiles.map(file => basename(file.path)),
    dependencies: librariesOf(packageFile, [client, server]),
  }
}

/**
 * Lists the packages in package.json that the bundles contain or import.
 * @param {{ dependencies: Record<string, string>, devDependencies: Record<string, string> }} packageFile
 * @param {Built[]} builds
 */
function librariesOf({ dependencies, devDependencies }, builds) {
  const used = builds.flatMap(({ metafile: { inputs, outputs } }) => [
    ...Object.keys(inputs).map(path => path.replace(/^.*node_modules\//, '')),
    ...Object.values(outputs).flatMap(output => output.imports.map(({ path }) => path)),
  ])
  const names = new Set(used.map(path => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]))
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([name]) => names.has(name))
    .map(([name, version]) => ({ name, version }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** @param {(string | Uint8Array)[]} parts */
function hash(parts) {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part)
  return sum.digest('hex').slice(0, 8)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const startedMs = performance.now()
  const { chunks } = await build()
  const largest = chunks.map(chunk => `${chunk.name} ${(chunk.brotliBytes / 1024).toFixed(1)} KiB`)
  console.log(`Built in ${Math.round(performance.now() - startedMs)} ms: ${largest.join(', ')} (brotli)`)
  console.log(relative(process.cwd(), join(root, 'dist')) || '.')
}
