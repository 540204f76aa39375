import { countJsonValues } from './count-json-values.ts'
import { findOriginal, hasOriginal, type Mappings, type OriginalPosition, readMappings } from './mappings.ts'
import { SourceMapError } from './source-map-error.ts'

/** A validated source map: https://tc39.es/ecma426/ */
export type SourceMap = {
  /** Names of the sources, including the `sourceRoot`; `null` for a source without a name. */
  sources: (string | null)[]
  /** Sorted by offset. A map that is not an index map has one section. */
  sections: Section[]
}

/** A section of the generated file that starts at an offset. `firstSource` is added to its source indexes. */
export type Section = { line: number; column: number; firstSource: number; mappings: Mappings }

export type ReadMap = {
  map: SourceMap
  /** The text of each source, or `null` if the map does not include it. */
  contents: (string | null)[]
  /** https://github.com/tc39/ecma426/blob/main/proposals/debug-id.md */
  debugId: string | null
}

/** A map has one JSON value per source, text and name. Parsing more values would take too much memory. */
const maxValues = 2_000_000
const maxSections = 10_000

/**
 * Parses and validates a source map, with or without sections.
 * @throws SourceMapError if the source map is invalid
 */
export async function readSourceMap(json: Buffer): Promise<ReadMap> {
  const root = asObject(parseJson(json), 'It')
  const map: SourceMap = { sources: [], sections: [] }
  const contents: (string | null)[] = []
  const sections =
    root.sections === undefined ? [{ offset: { line: 0, column: 0 }, map: root }] : root.sections
  if (!Array.isArray(sections) || sections.length > maxSections) {
    throw new SourceMapError(`Its \`sections\` are not a list with at most ${maxSections} entries`)
  }
  for (const each of sections) {
    const { offset, map: inner } = asObject(each, 'One of its sections')
    const { line, column } = parseOffset(offset)
    const last = map.sections.at(-1)
    if (last !== undefined && (line < last.line || (line === last.line && column < last.column))) {
      throw new SourceMapError('Its sections are not sorted by offset')
    }
    const part = readPart(asObject(inner, 'The `map` of one of its sections'))
    const mappings = await readMappings(part.mappings, part.sources.length)
    map.sections.push({ line, column, firstSource: map.sources.length, mappings })
    for (const source of part.sources) map.sources.push(source)
    for (const content of part.contents) contents.push(content)
  }
  return { map, contents, debugId: readDebugId(root.debugId) ?? readDebugId(root.debug_id) }
}

/** Returns the original position of a generated position, or `null`. Lines and columns start at 0. */
export function originalPosition(
  { sections }: SourceMap,
  line: number,
  column: number,
): OriginalPosition | null {
  const section = sections.findLast(each => each.line < line || (each.line === line && each.column <= column))
  if (section === undefined) return null
  const inLine = line === section.line ? column - section.column : column
  const original = findOriginal(section.mappings, line - section.line, inLine)
  return original && { ...original, source: original.source + section.firstSource }
}

/** Whether the map contains exactly this original position. */
export async function isOriginal(
  { sections }: SourceMap,
  { source, ...position }: OriginalPosition,
): Promise<boolean> {
  const section = sections.findLast(({ firstSource }) => firstSource <= source)
  return (
    section !== undefined &&
    (await hasOriginal(section.mappings, { ...position, source: source - section.firstSource }))
  )
}

/** Normalises a debug id (usually a UUID). Returns `null` for invalid values. */
export function readDebugId(value: unknown): string | null {
  if (typeof value !== 'string' || !/^[\w.-]{1,100}$/.test(value)) return null
  const id = value.toLowerCase()
  return id.replace(/^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/, '$1-$2-$3-$4-$5')
}

function parseJson(json: Buffer): unknown {
  if (countJsonValues(json, maxValues) > maxValues)
    throw new SourceMapError('It has too many JSON values for a source map')
  // Servers may add the prefix `)]}'` to prevent script inclusion: https://tc39.es/ecma426/#sec-json-over-http
  const text = json
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .replace(/^\)\]\}'[^\n]*\n/, '')
  try {
    return JSON.parse(text)
  } catch {
    throw new SourceMapError('It is not valid JSON')
  }
}

function readPart(part: Readonly<Record<string, unknown>>) {
  const { version, mappings } = part
  if (version !== 3) throw new SourceMapError('Its `version` is not 3')
  if (part.sections !== undefined) throw new SourceMapError('One of its sections contains sections')
  if (typeof mappings !== 'string') throw new SourceMapError('Its `mappings` are not a string')
  if (!Array.isArray(part.sources)) throw new SourceMapError('Its `sources` are not a list')
  const root = typeof part.sourceRoot === 'string' ? part.sourceRoot : ''
  const sources = part.sources.map(source => (typeof source === 'string' ? below(root, source) : null))
  const texts = Array.isArray(part.sourcesContent) ? part.sourcesContent : []
  const contents = sources.map((_, index) => {
    const text: unknown = texts[index]
    return typeof text === 'string' ? text : null
  })
  return { mappings, sources, contents }
}

function below(root: string, source: string): string {
  if (root === '' || /^(?:[a-z][\w+.-]*:|\/)/i.test(source)) return source
  const folder = root.replaceAll('\\', '/')
  return withoutDots(`${folder}${folder.endsWith('/') ? '' : '/'}${source.replaceAll('\\', '/')}`)
}

/** Resolves `.` and `..` in a path, because the path of a source should not depend on the output folder. */
function withoutDots(path: string): string {
  const [root = ''] = /^(?:[a-z][\w+.-]+:\/\/[^/]*)?\/?/i.exec(path) ?? []
  const parts: string[] = []
  for (const part of path.slice(root.length).split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (root === '') parts.push(part)
  }
  return root + parts.join('/')
}

function parseOffset(offset: unknown): { line: number; column: number } {
  const { line, column } = asObject(offset, 'The `offset` of one of its sections')
  const isIndex = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0
  if (!isIndex(line) || !isIndex(column)) {
    throw new SourceMapError('The `offset` of one of its sections has no valid line and column')
  }
  return { line, column }
}

function asObject(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SourceMapError(`${what} is not a JSON object`)
  }
  return { ...value }
}
