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
  /** Identifies this version of the files that the browser loads. */
  build: Type.String(),
  builtAtMs: Type.Number(),
  /** A file name in /assets/. */
  entry: Type.String(),
  style: Type.String(),
  fonts: Type.Array(Type.String()),
  /**
   * The chunks of each screen, and of each part of a screen such as `ui/basic-group`: its own chunks, and the imported chunks
   * that the entry does not load.
   */
  screens: Type.Record(Type.String(), Type.Array(Type.String())),
  /** Chunks that the entry imports statically. */
  shared: Type.Array(Type.String()),
  chunks: Type.Array(chunk),
  /** The names of the server bundle's JavaScript files. */
  serverFiles: Type.Array(Type.String()),
  dependencies: Type.Array(Type.Object({ name: Type.String(), version: Type.String() })),
})

/** The manifest that `npm run build` writes, and the build folders. */
export type Build = Static<typeof manifest> & {
  /** The folder that /assets/ serves. */
  assetsFolder: string
  /** The folder of source maps (`<asset name>.map`), which are never served. */
  mapsFolder: string
}

/**
 * Reads the manifest of the build in `folder` (usually `dist`).
 * @throws Error if the manifest is missing or has a different format; the message contains the build command
 */
export async function readBuild(folder: string): Promise<Build> {
  const path = join(folder, 'manifest.json')
  let value: unknown
  try {
    value = JSON.parse(await readFile(path, 'utf8'))
  } catch (cause) {
    throw new Error(`No build found at ${path}: run npm run build`, { cause })
  }
  if (!Value.Check(manifest, value))
    throw new Error(`The build at ${path} is from another version: run npm run build`)
  return { ...value, assetsFolder: join(folder, 'assets'), mapsFolder: join(folder, 'maps') }
}
