// @ts-check
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { withImports } from './common-chunk.mjs'
import { readJson } from './read-json.mjs'

/** @typedef {import('esbuild').BuildResult<{ metafile: true, write: false }>} Built */
/** @typedef {{ name: string, rawBytes: number, gzipBytes: number, brotliBytes: number }} Chunk */

/**
 * Describes a build for the server: see server/build.ts.
 * @param {Built} client
 * @param {Built} server
 * @param {Chunk[]} chunks
 */
export async function describeBuild(client, server, chunks) {
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
