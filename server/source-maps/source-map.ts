import { jsonWeight } from './json-weight.ts'
import { MapProblem } from './map-problem.ts'
import { type Mappings, type Original, originalOf, readMappings } from './mappings.ts'

/** A source map, ready to be asked: https://tc39.es/ecma426/ */
export type SourceMap = {
  /** Names of the sources with the map's `sourceRoot`, or `null` for one without a name. */
  sources: (string | null)[]
  /** In their order; a map that is none of an index has one. */
  sections: Section[]
}

/** A part of the generated file, from a place on. `firstSource` is added to the numbers of its sources. */
export type Section = { line: number; column: number; firstSource: number; mappings: Mappings }

export type ReadMap = {
  map: SourceMap
  /** The text of each source, where the map holds it. */
  contents: (string | null)[]
  /** https://github.com/tc39/ecma426/blob/main/proposals/debug-id.md */
  debugId: string | null
}

/** A map has a value for each source, text and name. What is left of the memory for a larger one is not enough. */
const mostValues = 2_000_000
const mostSections = 10_000

/**
 * Reads a source map, plain or an index of sections, through once.
 * @throws MapProblem for what is none, or a broken one
 */
export async function readSourceMap(json: Buffer): Promise<ReadMap> {
  const root = asObject(parse(json), 'It')
  const map: SourceMap = { sources: [], sections: [] }
  const contents: (string | null)[] = []
  const sections =
    root.sections === undefined ? [{ offset: { line: 0, column: 0 }, map: root }] : root.sections
  if (!Array.isArray(sections) || sections.length > mostSections) {
    throw new MapProblem(`Its \`sections\` are no list of at most ${mostSections}`)
  }
  for (const each of sections) {
    const { offset, map: inner } = asObject(each, 'One of its sections')
    const { line, column } = parseOffset(offset)
    const last = map.sections.at(-1)
    if (last !== undefined && (line < last.line || (line === last.line && column < last.column))) {
      throw new MapProblem('Its sections are not in the order of their offsets')
    }
    const part = readPart(asObject(inner, 'The `map` of one of its sections'))
    const mappings = await readMappings(part.mappings, part.sources.length)
    map.sections.push({ line, column, firstSource: map.sources.length, mappings })
    for (const source of part.sources) map.sources.push(source)
    for (const content of part.contents) contents.push(content)
  }
  return { map, contents, debugId: readDebugId(root.debugId) ?? readDebugId(root.debug_id) }
}

/** Where a place comes from, or `null` where the map does not say. All count from 0. */
export function originalIn({ sections }: SourceMap, line: number, column: number): Original | null {
  const section = sections.findLast(each => each.line < line || (each.line === line && each.column <= column))
  if (section === undefined) return null
  const inLine = line === section.line ? column - section.column : column
  const original = originalOf(section.mappings, line - section.line, inLine)
  return original && { ...original, source: original.source + section.firstSource }
}

/** A debug id, which is a UUID in nearly every build, in one form; `null` for what is none. */
export function readDebugId(value: unknown): string | null {
  if (typeof value !== 'string' || !/^[\w.-]{1,100}$/.test(value)) return null
  const id = value.toLowerCase()
  return id.replace(/^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/, '$1-$2-$3-$4-$5')
}

function parse(json: Buffer): unknown {
  if (jsonWeight(json, mostValues) > mostValues)
    throw new MapProblem('It holds too many values for a source map')
  // Servers may put a line before it that keeps it from being run: https://tc39.es/ecma426/#sec-json-over-http
  const text = json
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .replace(/^\)\]\}'[^\n]*\n/, '')
  try {
    return JSON.parse(text)
  } catch {
    throw new MapProblem('It is no JSON')
  }
}

function readPart(part: Readonly<Record<string, unknown>>) {
  const { version, mappings } = part
  if (version !== 3) throw new MapProblem('Its `version` is not 3')
  if (part.sections !== undefined) throw new MapProblem('One of its sections holds sections')
  if (typeof mappings !== 'string') throw new MapProblem('Its `mappings` are no text')
  if (!Array.isArray(part.sources)) throw new MapProblem('Its `sources` are no list')
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
  return `${root}${root.endsWith('/') ? '' : '/'}${source}`
}

function parseOffset(offset: unknown): { line: number; column: number } {
  const { line, column } = asObject(offset, 'The `offset` of one of its sections')
  const isPlace = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0
  if (!isPlace(line) || !isPlace(column)) {
    throw new MapProblem('The `offset` of one of its sections has no line and column')
  }
  return { line, column }
}

function asObject(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MapProblem(`${what} is no JSON object`)
  }
  return { ...value }
}
