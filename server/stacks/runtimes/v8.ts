import { errorAboveFrames } from './error-head.ts'
import { parseFrames, type Runtime, type StackFrame } from './frame.ts'
import { parseLocation } from './script-location.ts'

/** Node, Deno and Chromium (https://v8.dev/docs/stack-trace-api), including errors printed by `util.inspect`. */
export const v8: Runtime = {
  frames: lines => parseFrames(lines, v8Frame),
  thrown: errorAboveFrames,
}

const nativeFile = /\.(?:rs|c|cc|cpp|h|hpp|s)$/i

/** `at async Cart.total [as sum] (file:///app/cart.js:1:2)` */
function v8Frame(line: string): StackFrame | null {
  if (!line.startsWith('at ')) return null
  const async = line.startsWith('at async ')
  // `util.inspect` appends ` {` (properties) or `,` (another error) to the last frame.
  const rest = line.slice(async ? 'at async '.length : 'at '.length).replace(/(?: \{|,)$/, '')
  const open = endOfName(rest)
  const hasName = open > 0 && rest.endsWith(')')
  const location = parseLocation(hasName ? rest.slice(open + 2, -1) : rest)
  // Rust prints positions in Rust and C code in the same form: `at ./src/cart.rs:3:5`.
  if (!hasName && location !== null && nativeFile.test(location.file)) return null
  return location && { functionName: hasName ? nameOf(rest.slice(0, open)) : null, ...location, async }
}

/** A path (`app/(shop)/page.tsx`) and an alias (`[as GET /x (y)]`) can contain parentheses, but a function name cannot. */
function endOfName(text: string): number {
  const open = text.indexOf(' (')
  const alias = text.indexOf(' [as ')
  return alias === -1 || alias > open ? open : text.indexOf('] (', alias) + 1
}

function nameOf(name: string): string | null {
  const plain = name.replace(/ \[as .*$/, '')
  return plain === '<anonymous>' || plain === '(anonymous)' || plain === '' ? null : plain
}
