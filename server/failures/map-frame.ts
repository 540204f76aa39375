import { originalName, originalPlace } from './mapped-file.ts'
import type { SourceMaps } from './source-maps.ts'
import type { StackFrame } from './stack.ts'

export type MappedFrame = StackFrame & { content: string | null }

/** The frame with its place in the sources; a frame that no map knows stays as it is. */
export async function mapFrame(frame: StackFrame, maps: SourceMaps): Promise<MappedFrame> {
  const { line, column } = frame
  const file = line === null || column === null ? null : await maps.mapped(frame.file)
  if (line === null || column === null || file === null) return { ...frame, content: null }
  const place = originalPlace(file, line, column)
  if (place === null) return { ...frame, content: null }
  const parts = frame.functionName?.replace(/^new /, '').split('.') ?? []
  const name = parts.at(-1) ?? ''
  const isOfSource = (part: string) => part.length > 2 && holdsWord(place.content, part)
  if (!isOfSource(name)) return { ...frame, ...place, functionName: originalName(file, name, line, column) }
  return { ...frame, ...place, functionName: parts.every(isOfSource) ? frame.functionName : name }
}

/** A name that the source does not hold is the bundler's (`t`, `render2`). */
function holdsWord(content: string | null, word: string): boolean {
  if (content === null || !/^[\w$#]+$/.test(word)) return false
  return new RegExp(`(?<![\\w$])${word.replaceAll('$', '\\$')}(?![\\w$])`).test(content)
}
