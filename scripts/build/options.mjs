// @ts-check
import { join, relative } from 'node:path'
import { root } from '../prepare/root.mjs'
import { fontSubsets } from './fonts.mjs'

const browsers = ['chrome120', 'firefox121', 'safari17.4']

/**
 * Browser build options. The entry imports each screen dynamically, so each screen becomes a chunk.
 * @returns {import('esbuild').BuildOptions & { absWorkingDir: string, plugins: import('esbuild').Plugin[], metafile: true, write: false }}
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
    // Makes Chromium compile all functions on other threads while the files load. Compiling them one by one when they are
    // first called delays hydration. https://explainers-by-googlers.github.io/explicit-javascript-compile-hints-file-based/
    banner: { js: '//# allFunctionsCalledOnLoad' },
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
 * @returns {import('esbuild').BuildOptions & { metafile: true, write: false }}
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
    // Without `module-sync`, React Router resolves to CommonJS, from which esbuild cannot remove unused code.
    conditions: ['module', 'module-sync'],
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

/** The process must load these files only once, because `instanceof` does not recognise a second copy of a class. */
const loadedOnce = ['store-errors']

/**
 * Keeps files out of the other bundles. esbuild's `splitting` would also do this, but it would split off each screen as well,
 * so the server would start more slowly.
 * @type {import('esbuild').Plugin}
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
 * @returns {(import('esbuild').BuildOptions & { metafile: true, write: false })[]}
 */
export function sdkOptions() {
  /** @satisfies {import('esbuild').BuildOptions} */
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
        'cli/shared-server': 'client/cli/shared-server.ts',
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
