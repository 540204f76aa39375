import { enclosingFunction } from './enclosing-function.ts'
import { holdsWord, type MappedFrame } from './map-frame.ts'

/**
 * Chooses between the places that several maps give for one frame: `null` where the name of its function does not
 * decide, and the places differ.
 * @param functionName as the stack names it
 * @param places at least one, the newest first
 */
export function choosePlace(functionName: string | null, places: readonly MappedFrame[]): MappedFrame | null {
  const same = agreed(places)
  if (same !== null) return same
  const fits = places.map(place => nameFit(functionName, place))
  const matching = places.filter((_, index) => fits[index] === 'matches')
  // Where one place can't be checked, a match of another may be a coincidence.
  const isDecided = matching.length > 0 && !fits.includes('unknown')
  return isDecided ? agreed(matching) : null
}

type Fit = 'matches' | 'contradicts' | 'unknown'

/** Whether the function at a place is the one that the stack names. A minified name says nothing. */
function nameFit(functionName: string | null, { content, line, column }: MappedFrame): Fit {
  // A constructor has another name in the source than in the stack.
  if (functionName === null || content === null || functionName.startsWith('new ')) return 'unknown'
  const name = functionName.split('.').at(-1) ?? ''
  if (name.length < 3 || !/^[\w$]+$/.test(name)) return 'unknown'
  if (!holdsWord(content, name)) return 'contradicts'
  const enclosing = enclosingFunction(content, line ?? 1, column ?? 1)
  if (enclosing === null) return 'unknown'
  return enclosing === name ? 'matches' : 'contradicts'
}

/** The one place that all give, with the function and the code that all agree on; `null` where the places differ. */
function agreed([first, ...others]: readonly MappedFrame[]): MappedFrame | null {
  if (first === undefined) return null
  const isSamePlace = (other: MappedFrame) =>
    other.file === first.file && other.line === first.line && other.column === first.column
  if (!others.every(isSamePlace)) return null
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
