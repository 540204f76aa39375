// @ts-check
import { readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import * as esbuild from 'esbuild'

/** @typedef {esbuild.Metafile['outputs']} Outputs */

/** Larger chunks that the entry does not need stay separate, because they would make the other pages heavier. */
const maxBytes = 5000

const specifier = 'sixpane:common'

/**
 * Returns an esbuild plugin that joins the chunks that the entry needs and the small chunks that several screens need.
 * With `splitting` alone, esbuild creates a chunk for each set of entry points that share modules, so a page would load
 * about 40 files (docs/decisions/0032-common-chunk.md). Builds once to find the chunks to join.
 * @param {esbuild.BuildOptions & { absWorkingDir: string }} options must include `splitting`
 * @returns {Promise<esbuild.Plugin>}
 */
export async function commonChunk(options) {
  const { metafile } = await esbuild.build({ ...options, sourcemap: false, metafile: true, write: false })
  const root = options.absWorkingDir
  const entryPoints = new Set(
    Object.values(metafile.outputs).flatMap(({ entryPoint }) =>
      entryPoint === undefined || extname(entryPoint) === '.css' ? [] : [entryPoint],
    ),
  )
  const imports = commonModules(metafile.outputs).map(path => `import ${JSON.stringify(join(root, path))}`)
  return {
    name: 'common-chunk',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${specifier}$`) }, ({ path }) => ({ path, namespace: 'common' }))
      onLoad({ filter: /./, namespace: 'common' }, () => ({ contents: imports.join('\n'), resolveDir: root }))
      // esbuild puts modules that every entry point needs into one chunk.
      onLoad({ filter: /[\\/]client[\\/].*\.tsx?$/ }, async ({ path }) => {
        if (!entryPoints.has(relative(root, path).replaceAll('\\', '/'))) return undefined
        const source = await readFile(path, 'utf8')
        return { contents: `${source}\nimport '${specifier}'\n`, loader: path.endsWith('x') ? 'tsx' : 'ts' }
      })
    },
  }
}

/**
 * Returns the modules of the chunks that the entry needs, and of small chunks that several screens need.
 * @param {Outputs} outputs
 */
function commonModules(outputs) {
  const users = usersOf(outputs)
  return Object.entries(outputs)
    .filter(([path, { bytes }]) => {
      const screens = users.get(path) ?? new Set()
      return screens.has(entryUser) || (screens.size > 1 && bytes <= maxBytes)
    })
    .flatMap(([, { inputs }]) => Object.keys(inputs))
}

const entryUser = 'entry'

/**
 * Returns the screens that need each shared chunk. Lazily loaded parts, such as the command palette, are treated as screens.
 * The component catalogue is ignored, because it needs nearly all chunks.
 * @param {Outputs} outputs
 */
function usersOf(outputs) {
  /** @type {Map<string, Set<string>>} */
  const users = new Map()
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    const user = /^client\/(?:screens\/)?([a-z]+)/.exec(entryPoint ?? '')?.[1]
    if (user === undefined || user === 'ui') continue
    for (const each of withImports(outputs, path)) {
      if (outputs[each]?.entryPoint !== undefined) continue
      users.set(each, (users.get(each) ?? new Set()).add(user))
    }
  }
  return users
}

/**
 * Returns a file and all files that it imports statically, directly or through other files.
 * @param {Outputs} outputs
 * @param {string} path
 */
export function withImports(outputs, path) {
  const files = new Set([path])
  for (const each of files) {
    for (const { path: imported, kind } of outputs[each]?.imports ?? []) {
      if (kind === 'import-statement') files.add(imported)
    }
  }
  return [...files]
}
