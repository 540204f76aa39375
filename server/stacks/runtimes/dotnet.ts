import { errorAboveFrames } from './error-head.ts'
import { parseFrames, type Runtime, type StackFrame } from './frame.ts'

/** .NET: `Exception.ToString()`. */
export const dotnet: Runtime = {
  frames: lines => parseFrames(lines, dotnetFrame),
  thrown: errorAboveFrames,
}

// `at Shop.Cart.Total(Item[] items) in /src/Shop/Cart.cs:line 12`: the location is printed if debug symbols are available.
const frameLine =
  /^at ((?:[\w`<>+|$[\],]{1,200}\.){1,30}[\w`<>+|$[\],]{1,200})\([^()]{0,500}\)(?: in (.{1,1000}):line (\d{1,9}))?$/

function dotnetFrame(line: string): StackFrame | null {
  const [, name, file, lineNumber] = frameLine.exec(line) ?? []
  if (name === undefined) return null
  return {
    // An async method is compiled to a class: `Shop.Cart.<Total>d__5.MoveNext`
    functionName: name.replace(/<(\w+)>[^.]*\.MoveNext$/, '$1'),
    file:
      file ??
      `${name
        .replace(/\.[^.]*$/, '')
        .replace(/\.?<.*$/, '')
        .replaceAll('.', '/')}.cs`,
    line: lineNumber === undefined ? null : Number(lineNumber),
    column: null,
    async: false,
  }
}
