import { thrownAbove } from './error-head.ts'
import { framesOf, type Runtime, type StackFrame } from './frame.ts'
import { readPlace } from './script-place.ts'

/** Node, Deno, Chromium: https://v8.dev/docs/stack-trace-api, and errors as Node inspects them. */
export const v8: Runtime = {
  frames: lines => framesOf(lines, v8Frame),
  thrown: thrownAbove,
}

/** `at async Cart.total [as sum] (file:///app/cart.js:1:2)` */
function v8Frame(line: string): StackFrame | null {
  if (!line.startsWith('at ')) return null
  const async = line.startsWith('at async ')
  // Where Node inspects an error, its properties (` {`) or the next error (`,`) begin behind the last frame.
  const rest = line.slice(async ? 'at async '.length : 'at '.length).replace(/(?: \{|,)$/, '')
  // A path may hold parentheses (`app/(shop)/page.tsx`), the name of a function before it does not.
  const open = rest.indexOf(' (')
  const named = open > 0 && rest.endsWith(')')
  const place = readPlace(named ? rest.slice(open + 2, -1) : rest)
  return place && { functionName: named ? nameOf(rest.slice(0, open)) : null, ...place, async }
}

function nameOf(name: string): string | null {
  const plain = name.replace(/ \[as .*$/, '')
  return plain === '<anonymous>' || plain === '' ? null : plain
}
