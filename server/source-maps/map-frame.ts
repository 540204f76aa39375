import { isBundle } from '../stacks/bundle-name.ts'
import type { StackFrame } from '../stacks/stack.ts'
import { enclosingFunction } from './enclosing-function.ts'
import { originalPosition, type SourceMap } from './source-map.ts'

/** A generated file's source map and the source text in the map. */
export type MappedFile = { map: SourceMap; text(source: number): Promise<string | null> }

/** A frame mapped to its source; `content` is the text of the whole source file. */
export type MappedFrame = StackFrame & { content: string | null }

/** Maps a frame to its source. Returns `null` if the map does not contain the frame's position. */
export async function mapFrame(frame: StackFrame, file: MappedFile): Promise<MappedFrame | null> {
  const { line, column } = frame
  const location = line === null || column === null ? null : await originalLocation(file, line, column)
  return location && { ...frame, ...location, functionName: sourceName(frame, location) }
}

/** Removes `../../` from the start of a source path, because builds write paths relative to their output folder. */
export function relativeToApp(source: string): string {
  return source.replace(/^(?:\.\.?\/)+/, '')
}

/** Whether a string contains a name as a whole word. */
export function containsWord(content: string, word: string): boolean {
  if (!isName(word)) return false
  return new RegExp(`(?<![\\w$])${word.replaceAll('$', '\\$')}(?![\\w$])`).test(content)
}

function isName(word: string): boolean {
  return /^[\w$#]+$/.test(word)
}

type OriginalLocation = { file: string; line: number; column: number; content: string | null }

/** Lines and columns start at 1. */
async function originalLocation(
  { map, text }: MappedFile,
  line: number,
  column: number,
): Promise<OriginalLocation | null> {
  if (line < 1 || column < 1) return null
  const original = originalPosition(map, line - 1, column - 1)
  if (original === null) return null
  const source = map.sources[original.source]
  if (source === undefined || source === null) return null
  const content = await text(original.source)
  // A map that points past the end of a source is from another build.
  if (content !== null && !hasLine(content, original.line)) return null
  return { file: relativeToApp(source), line: original.line + 1, column: original.column + 1, content }
}

/** `line` starts at 0. */
function hasLine(content: string, line: number): boolean {
  let at = -1
  for (let each = 0; each < line; each += 1) {
    at = content.indexOf('\n', at + 1)
    if (at < 0) return false
  }
  return true
}

/**
 * Returns the function's name in the source. If the frame has no name, or a name that the bundler chose (`t`), returns the
 * name of the enclosing function. If the map has no source text, only names of up to two characters and names in bundles
 * count as chosen by the bundler, as in frames without a map.
 */
function sourceName(
  { functionName, file }: Pick<StackFrame, 'functionName' | 'file'>,
  { content, line, column }: Pick<OriginalLocation, 'content' | 'line' | 'column'>,
): string | null {
  const enclosing = () => (content === null ? null : enclosingFunction(content, line, column))
  if (functionName === null) return enclosing()
  const isInSource = (part: string) =>
    part.length > 2 && (content === null ? isName(part) && !isBundle(file) : containsWord(content, part))
  const parts = functionName.replace(/^new /, '').split('.')
  const name = parts.at(-1) ?? ''
  if (parts.every(isInSource)) return functionName
  return isInSource(name) ? name : enclosing()
}
