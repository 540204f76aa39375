import { readFile } from 'node:fs/promises'
import { sourceContentFor, TraceMap, traceSegment } from '@jridgewell/trace-mapping'

/** A file of the build together with its source map. */
export type MappedFile = { map: TraceMap; code: string | null }

export type OriginalPlace = {
  /** Relative to the application's folder. */
  file: string
  line: number
  column: number
  content: string | null
}

/** The first of these maps that is there and can be read. */
export async function readMapped(codePath: string, mapPaths: readonly string[]): Promise<MappedFile | null> {
  for (const path of mapPaths) {
    try {
      const map = new TraceMap(await readFile(path, 'utf8'))
      return { map, code: await readFile(codePath, 'utf8').catch(() => null) }
    } catch {
      // A frame without its map stays as it is; a failure must not fail over it.
    }
  }
  return null
}

/** Where a place of the file comes from. Lines and columns count from 1. */
export function originalPlace({ map }: MappedFile, line: number, column: number): OriginalPlace | null {
  const segment = segmentAt(map, line, column)
  if (segment === null || segment.length === 1) return null
  const source = map.sources[segment[1]]
  if (source === undefined || source === null) return null
  return {
    file: relativeToApp(source),
    line: segment[2] + 1,
    column: segment[3] + 1,
    content: sourceContentFor(map, source),
  }
}

/** How far before a place in it a function's declaration is looked for. */
const reach = 200_000

/**
 * The name that the source has for the function which holds a place and which the bundle calls `name`: where the
 * function is declared, the map says what the bundler renamed.
 */
export function originalName(
  { map, code }: MappedFile,
  name: string,
  line: number,
  column: number,
): string | null {
  if (code === null || !/^[\w$]{1,100}$/.test(name)) return null
  const end = offsetOf(code, line, column)
  const start = Math.max(0, end - reach)
  const before = code.slice(start, end)
  const word = name.replaceAll('$', '\\$')
  const declaration = new RegExp(
    `(?<![\\w$.])(?:function\\*? ?${word}(?=\\()|class ${word}(?=[ {])|${word}(?= ?= ?(?:async ?)?(?:function|class|\\([^()]{0,500}\\) ?=>|[\\w$]+ ?=>)))`,
    'g',
  )
  const last = [...before.matchAll(declaration)].at(-1)
  if (last === undefined) return null
  const place = placeAt(code, start + last.index + last[0].length - name.length)
  const segment = segmentAt(map, place.line, place.column)
  if (segment?.length !== 5 || segment[0] !== place.column - 1) return null
  const here = segmentAt(map, line, column)
  return here !== null && here[1] === segment[1] ? (map.names[segment[4]] ?? null) : null
}

/** The text of a source that went into the file. */
export function sourceContent({ map }: MappedFile, file: string): string | null {
  const source = map.sources.find(each => each !== null && relativeToApp(each) === file)
  return source ? sourceContentFor(map, source) : null
}

function segmentAt(map: TraceMap, line: number, column: number) {
  if (line < 1 || column < 1) return null
  try {
    return traceSegment(map, line - 1, column - 1)
  } catch {
    // Mappings are decoded when first used: a map may turn out broken only here.
    return null
  }
}

function offsetOf(code: string, line: number, column: number): number {
  let start = 0
  for (let each = 1; each < line; each += 1) {
    const next = code.indexOf('\n', start)
    if (next < 0) return code.length
    start = next + 1
  }
  return start + column - 1
}

function placeAt(code: string, offset: number): { line: number; column: number } {
  const before = code.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** The build writes sources relative to its output: `../../server/app.ts`. */
function relativeToApp(source: string): string {
  return source.replace(/^(?:\.\.?\/)+/, '')
}
