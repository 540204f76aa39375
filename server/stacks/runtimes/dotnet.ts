import { errorAboveFrames } from './error-head.ts'
import { parseFrames, type Runtime, type StackFrame } from './frame.ts'

/** .NET: `Exception.ToString()`. */
export const dotnet: Runtime = {
  frames: lines => parseFrames(lines, dotnetFrame),
  thrown: errorAboveFrames,
}

// `at Shop.Cart.Total(Item[] items) in /src/Shop/Cart.cs:line 12`: the location is printed if debug symbols are available.
// Constructors have two dots (`Shop.Cart..ctor()`), iterators end in `+MoveNext()`, and compiled expressions have no class. The
// names of closures contain hyphens in F# (`total@13-2.Invoke`) and Visual Basic (`_Lambda$__1-0`).
const frameLine =
  /^at ((?:[\w`<>+|$[\],@\u0080-\uffff-]{1,200}\.{1,2}){1,30}[\w`<>+|$[\],@\u0080-\uffff-]{1,200}|lambda_method\d{0,9})\([^()]{0,500}\)(?:\+MoveNext\(\))?(?: in (.{1,1000}):line (\d{1,9}))?(?:<---)?$/

function dotnetFrame(line: string): StackFrame | null {
  const [, name, file, lineNumber] = frameLine.exec(line) ?? []
  if (name === undefined) return null
  return {
    // An async method or lambda is compiled to a class: `Shop.Cart.<Total>d__5.MoveNext`
    functionName: name.replace(/(?<=\.)<([^.]+)>d[^.>]*\.MoveNext$/, '$1'),
    file: file ?? fileOf(name),
    line: lineNumber === undefined ? null : Number(lineNumber),
    column: null,
    async: false,
  }
}

/** Returns the path that the class probably has in the source tree. */
function fileOf(name: string): string {
  if (!name.includes('.')) return '<compiled>'
  const path = name
    .replace(/\.+[^.]*$/, '')
    .replace(/\.[^.@]*@\d[\d-]*$/, '')
    .replace(/\.?<.*$/, '')
    .replaceAll('.', '/')
  return `${path}.cs`
}
