import { originalIn, type SourceMap } from './source-map.ts'

/** A generated file by its source map, and the texts of the sources that the map holds. */
export type MappedFile = { map: SourceMap; text(source: number): Promise<string | null> }

export type OriginalPlace = {
  /** Relative to the application's folder, or as the bundler names it. */
  file: string
  line: number
  column: number
  content: string | null
}

/** Where a place of the file comes from. Lines and columns count from 1. */
export async function originalPlace(
  { map, text }: MappedFile,
  line: number,
  column: number,
): Promise<OriginalPlace | null> {
  if (line < 1 || column < 1) return null
  const original = originalIn(map, line - 1, column - 1)
  if (original === null) return null
  const source = map.sources[original.source]
  if (source === undefined || source === null) return null
  const content = await text(original.source)
  // A map that leads behind the end of a source is of another build.
  if (content !== null && !hasLine(content, original.line)) return null
  return { file: relativeToApp(source), line: original.line + 1, column: original.column + 1, content }
}

/** Counted from 0. */
function hasLine(content: string, line: number): boolean {
  let at = -1
  for (let each = 0; each < line; each += 1) {
    at = content.indexOf('\n', at + 1)
    if (at < 0) return false
  }
  return true
}

/** Builds write sources relative to their output: `../../server/app.ts`. */
export function relativeToApp(source: string): string {
  return source.replace(/^(?:\.\.?\/)+/, '')
}
