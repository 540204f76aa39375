import { errorAboveFrames } from './error-head.ts'
import { type FrameLine, parseFrames, type Runtime, type StackFrame } from './frame.ts'

/**
 * .NET: `Exception.ToString()`. It prints the inner exceptions below the message of the thrown one and above its frames, so
 * the parser reverses them.
 */
export const dotnet: Runtime = {
  frames: lines => readTraces(lines).flatMap(({ frames }) => frames),
  thrown(lines, first) {
    const inner = lines.findIndex(line => innerStart.test(line))
    if (inner < 0) return errorAboveFrames(lines, first)
    const [above = ''] = (lines[inner] ?? '').split(innerStart)
    return errorAboveFrames([...lines.slice(0, inner), above], inner + 1)
  },
  causes(lines) {
    const causes = new Map<number, string>()
    let heads: string[] = []
    for (const { head, frames } of readTraces(lines).slice(1)) {
      heads.push(head)
      if (frames[0] === undefined) continue
      causes.set(frames[0].lineIndex, heads.join('\n'))
      heads = []
    }
    return causes
  },
}

/** The frames of one exception. `outer` is the exception that it caused, and `head` introduces it as a cause. */
type Trace = { outer: Trace | null; head: string; frames: FrameLine[]; hasInner: boolean }

/** .NET Framework prints an inner exception on the line of the exception that it caused. */
const innerStart = /^\s{0,20}---> | ---> (?=(?:\w{1,200}\.){1,20}\w{1,200}(?:[:`+]|$))/
const innerEnd = /^\s{0,20}--- End of inner exception stack trace ---\s*$|<---\s*$/
const listed = /^\(Inner Exception #(\d{1,9})\) /

/** Returns the exceptions, each before its inner exceptions. */
function readTraces(lines: readonly string[]): Trace[] {
  const frames = new Map(parseFrames(lines, dotnetFrame).map(each => [each.lineIndex, each]))
  let current: Trace = { outer: null, head: '', frames: [], hasInner: false }
  const traces = [current]
  lines.forEach((line, lineIndex) => {
    const [, ...inner] = line.split(innerStart)
    for (const text of inner) {
      const [list = '', number] = listed.exec(text) ?? []
      const error = text.slice(list.length).replace(/<---\s*$/, '')
      const head = `${list === '' ? 'Caused by' : 'One of its errors'}: ${error}`
      // Older versions list the first error of an `AggregateException`, although they print it as inner exception, too.
      const isRepeated = number === '0' && current.hasInner
      current.hasInner = true
      current = { outer: current, head, frames: [], hasInner: false }
      if (!isRepeated) traces.push(current)
    }
    const frame = frames.get(lineIndex)
    if (frame !== undefined) current.frames.push(frame)
    if (innerEnd.test(line)) current = current.outer ?? current
  })
  return traces
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
