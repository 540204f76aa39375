import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Build } from '../build.ts'
import { type MappedFile, relativeToApp } from './map-frame.ts'
import { readSourceMap } from './source-map.ts'

/** The source maps of Sixpane's own build. Never reads other files, even if a stack contains their paths. */
export type BuildMaps = {
  /** Returns the map of a file in a stack, or `null` if the file is not part of the build. */
  mapped(file: string): Promise<MappedFile | null>
  /** Returns the text of a source by its path relative to the application, or `null` if no map contains it. */
  content(file: string): Promise<string | null>
}

/** Loads each map on first use and caches it. The number of build files limits the cache size. */
export function createBuildMaps(build: Pick<Build, 'assetsFolder' | 'mapsFolder' | 'chunks'>): BuildMaps {
  const serverFile = join(dirname(build.mapsFolder), 'server', 'main.js')
  const serverMaps = [`${serverFile}.map`, join(build.mapsFolder, 'server-main.js.map')]
  const chunkNames = new Set(build.chunks.map(({ name }) => name).filter(name => name.endsWith('.js')))
  const files = new Map<string, Promise<MappedFile | null>>()

  function loadOnce(name: string, maps: readonly string[]): Promise<MappedFile | null> {
    const file = files.get(name) ?? firstOf(maps)
    files.set(name, file)
    return file
  }
  const server = () => loadOnce(serverFile, serverMaps)
  const chunk = (name: string) => loadOnce(name, [join(build.mapsFolder, `${name}.map`)])

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

/** Loads the first map that exists and is valid. */
async function firstOf(paths: readonly string[]): Promise<MappedFile | null> {
  for (const path of paths) {
    try {
      const { map, contents } = await readSourceMap(await readFile(path))
      return { map, text: async source => contents[source] ?? null }
    } catch {
      // Without a map, frames stay unmapped. The failure page must still work.
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
