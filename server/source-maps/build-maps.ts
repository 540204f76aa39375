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
export function createBuildMaps(build: Pick<Build, 'mapsFolder' | 'chunks' | 'serverFiles'>): BuildMaps {
  const serverFolder = join(dirname(build.mapsFolder), 'server')
  const serverFiles = new Set(build.serverFiles.map(name => join(serverFolder, name)))
  const chunkNames = build.chunks.map(({ name }) => name).filter(name => name.endsWith('.js'))
  const chunkFiles = new Set(chunkNames.map(name => join(build.mapsFolder, name)))
  const maps = new Map<string, Promise<MappedFile | null>>()

  function loadOnce(file: string): Promise<MappedFile | null> {
    const map = maps.get(file) ?? readMap(`${file}.map`)
    maps.set(file, map)
    return map
  }

  return {
    async mapped(file) {
      const [, name = ''] = /^(?:https?:\/\/[^/]+)?\/assets\/([\w.-]+)(?:[?#].*)?$/.exec(file) ?? []
      const chunk = join(build.mapsFolder, name)
      if (chunkFiles.has(chunk)) return loadOnce(chunk)
      const path = pathOf(file)
      return serverFiles.has(path) ? loadOnce(path) : null
    },
    async content(file) {
      for (const each of [...serverFiles, ...chunkFiles]) {
        const mapped = await loadOnce(each)
        const source = mapped?.map.sources.findIndex(each => each !== null && relativeToApp(each) === file)
        const content = source === undefined ? null : await mapped?.text(source)
        if (typeof content === 'string') return content
      }
      return null
    },
  }
}

/** Returns `null` if the map does not exist or is not valid, so that frames stay unmapped but the failure page works. */
async function readMap(path: string): Promise<MappedFile | null> {
  try {
    const { map, contents } = await readSourceMap(await readFile(path))
    return { map, text: async source => contents[source] ?? null }
  } catch {
    return null
  }
}

function pathOf(file: string): string {
  if (!file.startsWith('file:')) return file
  try {
    return fileURLToPath(file.replace(/[?#].*$/, ''))
  } catch {
    return file
  }
}
