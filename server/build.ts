import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const chunk = Type.Object({
  name: Type.String(),
  rawBytes: Type.Number(),
  gzipBytes: Type.Number(),
  brotliBytes: Type.Number(),
})

const manifest = Type.Object({
  version: Type.String(),
  /** Changes with every change of what the browser loads. */
  build: Type.String(),
  builtAtMs: Type.Number(),
  /** Names below /assets/. */
  entry: Type.String(),
  style: Type.String(),
  /** The chunk of each screen, and what it imports beyond the entry's own. */
  screens: Type.Record(Type.String(), Type.Array(Type.String())),
  /** What the entry imports at once. */
  shared: Type.Array(Type.String()),
  chunks: Type.Array(chunk),
  dependencies: Type.Array(Type.Object({ name: Type.String(), version: Type.String() })),
})

/** What `npm run build` wrote about itself, and where it lies. */
export type Build = Static<typeof manifest> & {
  /** Folder of the files that /assets/ serves. */
  assetsFolder: string
  /** Folder of the source maps: `<asset name>.map`, never served. */
  mapsFolder: string
}

/**
 * Reads the manifest of the build in `folder` (usually `dist`).
 * @throws Error that says to build when there is none or it is of another shape.
 */
export async function readBuild(folder: string): Promise<Build> {
  const path = join(folder, 'manifest.json')
  let value: unknown
  try {
    value = JSON.parse(await readFile(path, 'utf8'))
  } catch (cause) {
    throw new Error(`There is no build at ${path}: run npm run build`, { cause })
  }
  if (!Value.Check(manifest, value))
    throw new Error(`The build at ${path} is of another version: run npm run build`)
  return { ...value, assetsFolder: join(folder, 'assets'), mapsFolder: join(folder, 'maps') }
}
