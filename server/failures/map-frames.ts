import type { OriginalPlace, SourceMaps } from './source-maps.ts'
import type { StackFrame } from './stack.ts'

export type MappedFrame = StackFrame & { content: string | null }

/** The frames with their places in the sources; a frame that no map knows stays as it is. */
export async function mapFrames(frames: readonly StackFrame[], maps: SourceMaps): Promise<MappedFrame[]> {
  const places: (OriginalPlace | null)[] = []
  for (const { file, line, column } of frames) {
    places.push(line === null || column === null ? null : await maps.original(file, line, column))
  }
  return frames.map((frame, index) => {
    const place = places[index]
    if (!place) return { ...frame, content: null }
    // What a function is called where it is called is its name in the source, whatever a minifier made of it.
    const calledAs = frames[index + 1]?.async ? null : (places[index + 1]?.token ?? null)
    const { file, line, column, content } = place
    return { ...frame, file, line, column, content, functionName: originalName(frame, content, calledAs) }
  })
}

/** A name that the source does not hold is the bundler's (`t`, `render2`). */
function originalName(frame: StackFrame, content: string | null, calledAs: string | null): string | null {
  const parts = frame.functionName?.replace(/^new /, '').split('.') ?? []
  const name = parts.at(-1) ?? ''
  if (name.length > 2 && holdsWord(content, name)) {
    return parts.every(part => holdsWord(content, part)) ? frame.functionName : name
  }
  if (calledAs !== null) return calledAs
  const withoutNumber = name.replace(/\d+$/, '')
  return withoutNumber.length > 2 && holdsWord(content, withoutNumber) ? withoutNumber : null
}

function holdsWord(content: string | null, word: string): boolean {
  if (content === null || !/^[\w$#]+$/.test(word)) return false
  return new RegExp(`(?<![\\w$])${word.replaceAll('$', '\\$')}(?![\\w$])`).test(content)
}
