import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sourceContentFor, TraceMap, traceSegment } from '@jridgewell/trace-mapping'
import type { Build } from '../build.ts'

export type OriginalPlace = {
  /** Relative to the application's folder. */
  file: string
  line: number
  column: number
  /** The name that the source has for the token at this very place, where the bundle has another. */
  token: string | null
  content: string | null
}

/** The source maps of Sixpane's own build. Only files that the build wrote are read, whatever a stack names. */
export type SourceMaps = {
  /** Where a place in a file of the build comes from, or `null`. Lines and columns count from 1. */
  original(file: string, line: number, column: number): Promise<OriginalPlace | null>
  /** The text of a source that went into the build, by its path relative to the application, or `null`. */
  content(file: string): Promise<string | null>
}

/** Reads a map when it is first asked for and keeps it: there are no more of them than the build has files. */
export function createSourceMaps(build: Pick<Build, 'mapsFolder' | 'chunks'>): SourceMaps {
  const folder = dirname(build.mapsFolder)
  const serverFile = join(folder, 'server', 'main.js')
  const serverMaps = [`${serverFile}.map`, join(build.mapsFolder, 'server-main.js.map')]
  const chunkNames = new Set(build.chunks.map(({ name }) => name).filter(name => name.endsWith('.js')))
  const loaded = new Map<string, Promise<TraceMap | null>>()

  function mapOf(name: string, paths: string[]): Promise<TraceMap | null> {
    const known = loaded.get(name)
    if (known !== undefined) return known
    const map = readFirst(paths)
    loaded.set(name, map)
    return map
  }
  const chunkMap = (name: string) => mapOf(name, [join(build.mapsFolder, `${name}.map`)])
  const serverMap = () => mapOf(serverFile, serverMaps)

  function mapFor(file: string): Promise<TraceMap | null> | null {
    const [, chunk] = /^(?:https?:\/\/[^/]+)?\/assets\/([\w.-]+)(?:[?#].*)?$/.exec(file) ?? []
    if (chunk !== undefined && chunkNames.has(chunk)) return chunkMap(chunk)
    return pathOf(file) === serverFile ? serverMap() : null
  }

  return {
    async original(file, line, column) {
      const map = await mapFor(file)
      return map === null ? null : lookUp(map, line, column)
    },
    async content(file) {
      for (const load of [serverMap, ...[...chunkNames].map(name => () => chunkMap(name))]) {
        const map = await load()
        const source = map?.sources.find(each => each !== null && relativeToApp(each) === file)
        if (map && source) return sourceContentFor(map, source)
      }
      return null
    },
  }
}

/** The first of these maps that is there and can be read. */
async function readFirst(paths: string[]): Promise<TraceMap | null> {
  for (const path of paths) {
    try {
      return new TraceMap(await readFile(path, 'utf8'))
    } catch {
      // A frame without its map stays as it is; a failure must not fail over it.
    }
  }
  return null
}

function lookUp(map: TraceMap, line: number, column: number): OriginalPlace | null {
  if (line < 1 || column < 1) return null
  try {
    const segment = traceSegment(map, line - 1, column - 1)
    if (segment === null || segment.length === 1) return null
    const [generatedColumn, sourceIndex, sourceLine, sourceColumn, nameIndex] = segment
    const source = map.sources[sourceIndex]
    if (source === undefined || source === null) return null
    const isHere = generatedColumn === column - 1
    return {
      file: relativeToApp(source),
      line: sourceLine + 1,
      column: sourceColumn + 1,
      token: (isHere && nameIndex !== undefined && map.names[nameIndex]) || null,
      content: sourceContentFor(map, source),
    }
  } catch {
    // Mappings are decoded when first used: a map may turn out broken only here.
    return null
  }
}

/** The build writes sources relative to its output: `../../server/app.ts`. */
function relativeToApp(source: string): string {
  return source.replace(/^(?:\.\.?\/)+/, '')
}

function pathOf(file: string): string {
  if (!file.startsWith('file:')) return file
  try {
    return fileURLToPath(file)
  } catch {
    return file
  }
}
