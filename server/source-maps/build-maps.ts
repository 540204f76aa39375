import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Build } from '../build.ts'
import { type MappedFile, relativeToApp } from './mapped-file.ts'
import { readSourceMap } from './source-map.ts'

/** The source maps of Sixpane's own build. Only files that the build wrote are read, whatever a stack names. */
export type SourceMaps = {
  /** A file of the build, as a stack names it, with its map; `null` for any other. */
  mapped(file: string): Promise<MappedFile | null>
  /** The text of a source that went into the build, by its path relative to the application, or `null`. */
  content(file: string): Promise<string | null>
}

/** Reads a map when it is first asked for and keeps it: there are no more of them than the build has files. */
export function createSourceMaps(build: Pick<Build, 'assetsFolder' | 'mapsFolder' | 'chunks'>): SourceMaps {
  const serverFile = join(dirname(build.mapsFolder), 'server', 'main.js')
  const serverMaps = [`${serverFile}.map`, join(build.mapsFolder, 'server-main.js.map')]
  const chunkNames = new Set(build.chunks.map(({ name }) => name).filter(name => name.endsWith('.js')))
  const files = new Map<string, Promise<MappedFile | null>>()

  function once(name: string, maps: readonly string[]): Promise<MappedFile | null> {
    const file = files.get(name) ?? firstOf(maps)
    files.set(name, file)
    return file
  }
  const server = () => once(serverFile, serverMaps)
  const chunk = (name: string) => once(name, [join(build.mapsFolder, `${name}.map`)])

  return {
    async mapped(file) {
      const [, name] = /^(?:https?:\/\/[^/]+)?\/assets\/([\w.-]+)(?:[?#].*)?$/.exec(file) ?? []
      if (name !== undefined && chunkNames.has(name)) return chunk(name)
      return pathOf(file) === serverFile ? server() : null
    },
    async content(file) {
      for (const load of [server, ...[...chunkNames].map(name => () => chunk(name))]) {
        const mapped = await load()
        const source = mapped?.map.sources.findIndex(each => each !== null && relativeToApp(each) === file)
        const content = source === undefined ? null : await mapped?.text(source)
        if (typeof content === 'string') return content
      }
      return null
    },
  }
}

/** The first of these maps that is there and can be read. */
async function firstOf(paths: readonly string[]): Promise<MappedFile | null> {
  for (const path of paths) {
    try {
      const { map, contents } = await readSourceMap(await readFile(path))
      return { map, text: async source => contents[source] ?? null }
    } catch {
      // A frame without its map stays as it is; a failure must not fail over it.
    }
  }
  return null
}

function pathOf(file: string): string {
  if (!file.startsWith('file:')) return file
  try {
    return fileURLToPath(file.replace(/[?#].*$/, ''))
  } catch {
    return file
  }
}
