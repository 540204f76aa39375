/** The fields of a source map (https://tc39.es/ecma426/) that the command uses. Other fields are uploaded unchanged. */
export type SourceMap = {
  sources: (string | null)[]
  sourcesContent?: (string | null)[] | null
  sourceRoot?: string | null
}

/** An invalid source map; `message` gives the reason. */
export class BrokenMapError extends Error {
  override name = 'BrokenMapError'
}

/**
 * Parses a source map. Index maps, which Turbopack writes, have several parts with separate sources.
 * @throws BrokenMapError
 */
export function readMap(json: string): { map: object; parts: SourceMap[]; debugId: string | null } {
  const map = parse(json)
  if (get(map, 'version') !== 3) throw new BrokenMapError('not a version 3 source map')
  const sections = get(map, 'sections')
  const parts = Array.isArray(sections) ? sections.map(section => get(section, 'map')) : [map]
  return {
    map,
    parts: parts.map(readPart),
    debugId: asText(get(map, 'debugId')) ?? asText(get(map, 'debug_id')),
  }
}

function parse(json: string): object {
  try {
    // Removes a byte order mark, and a prefix that prevents cross-site inclusion
    // (https://tc39.es/ecma426/#sec-source-map-format).
    const value: unknown = JSON.parse(json.replace(/^\ufeff?(?:\)\]\}'?[^\n]*\n)?/, ''))
    if (typeof value === 'object' && value !== null) return value
  } catch {
    throw new BrokenMapError('not valid JSON; is the file truncated?')
  }
  throw new BrokenMapError('not a source map')
}

function readPart(part: unknown): SourceMap {
  if (!isPart(part)) throw new BrokenMapError('mappings or sources are missing')
  return part
}

function isPart(part: unknown): part is SourceMap {
  const isTextList = (value: unknown) =>
    Array.isArray(value) && value.every(each => each === null || typeof each === 'string')
  const contents = get(part, 'sourcesContent') ?? []
  const root = get(part, 'sourceRoot') ?? ''
  return (
    typeof get(part, 'mappings') === 'string' &&
    isTextList(get(part, 'sources')) &&
    isTextList(contents) &&
    typeof root === 'string'
  )
}

function get(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
