import { enclosingFunction } from './enclosing-function.ts'
import { containsWord, type MappedFrame } from './map-frame.ts'

/**
 * Chooses between the frames that several maps produce for one stack frame. Returns `null` if they differ and the function
 * name does not identify the correct one.
 * @param functionName the name in the stack
 * @param frames at least one, newest upload first
 */
export function chooseFrame(functionName: string | null, frames: readonly MappedFrame[]): MappedFrame | null {
  const agreed = agreedFrame(frames)
  if (agreed !== null) return agreed
  const comparisons = frames.map(frame => compareName(functionName, frame))
  const matching = frames.filter((_, index) => comparisons[index] === 'matches')
  // If one frame can't be checked, another frame's match may be a coincidence.
  const isDecided = matching.length > 0 && !comparisons.includes('unknown')
  return isDecided ? agreedFrame(matching) : null
}

type NameComparison = 'matches' | 'contradicts' | 'unknown'

/** Compares the function in the source with the name in the stack. A minified name is inconclusive. */
function compareName(functionName: string | null, { content, line, column }: MappedFrame): NameComparison {
  // A constructor is `new Cart` in the stack and `constructor` in the source.
  if (functionName === null || content === null || functionName.startsWith('new ')) return 'unknown'
  const name = functionName.split('.').at(-1) ?? ''
  if (name.length < 3 || !/^[\w$]+$/.test(name)) return 'unknown'
  if (!containsWord(content, name)) return 'contradicts'
  const enclosing = enclosingFunction(content, line ?? 1, column ?? 1)
  if (enclosing === null) return 'unknown'
  return enclosing === name ? 'matches' : 'contradicts'
}

/** Returns the frame that all maps agree on, or `null`. Drops the function name or code if the maps disagree about it. */
function agreedFrame([first, ...others]: readonly MappedFrame[]): MappedFrame | null {
  if (first === undefined) return null
  const isSameLocation = (other: MappedFrame) =>
    other.file === first.file && other.line === first.line && other.column === first.column
  if (!others.every(isSameLocation)) return null
  const isSameCode = others.every(other => lineOf(other) === lineOf(first))
  const isSameFunction = others.every(({ functionName }) => functionName === first.functionName)
  return {
    ...first,
    functionName: isSameFunction ? first.functionName : null,
    content: isSameCode ? first.content : null,
  }
}

function lineOf({ content, line }: MappedFrame): string | undefined {
  return content?.split(/\r?\n/, line ?? 0).at(-1)
}
