import type { StackFrame } from '../stacks/stack.ts'
import { enclosingFunction } from './enclosing-function.ts'
import { type MappedFile, originalPlace } from './mapped-file.ts'

export type MappedFrame = StackFrame & { content: string | null }

/** The frame with its place in the sources, or `null` where the map does not have its place. */
export async function mapFrame(frame: StackFrame, file: MappedFile): Promise<MappedFrame | null> {
  const { line, column } = frame
  const place = line === null || column === null ? null : await originalPlace(file, line, column)
  return place && { ...frame, ...place, functionName: sourceName(frame.functionName, place) }
}

type Place = { content: string | null; line: number; column: number }

/** The name of a function as the source has it. One that the source does not hold is the bundler's (`t`, `render2`). */
function sourceName(functionName: string | null, { content, line, column }: Place): string | null {
  if (functionName === null || content === null) return null
  const parts = functionName.replace(/^new /, '').split('.')
  const name = parts.at(-1) ?? ''
  const isOfSource = (part: string) => part.length > 2 && holdsWord(content, part)
  if (parts.every(isOfSource)) return functionName
  return isOfSource(name) ? name : enclosingFunction(content, line, column)
}

/** Whether a text holds a name, and not only as a part of a longer one. */
export function holdsWord(content: string, word: string): boolean {
  if (!/^[\w$#]+$/.test(word)) return false
  return new RegExp(`(?<![\\w$])${word.replaceAll('$', '\\$')}(?![\\w$])`).test(content)
}
