import type { FrameLine, Runtime, ThrownError } from './frame.ts'

/** PHP: `(string) $exception`, uncaught exceptions, and the stack traces in Monolog's lines, such as Laravel's. */
export const php: Runtime = {
  frames: lines => readTraces(lines).flatMap(({ frames }) => frames),
  thrown(lines) {
    const traces = readTraces(lines)
    const error = traces[0] === undefined ? null : phpErrorAt(lines, traces[0])
    if (error === null) return null
    const above = lines.slice(0, Math.min(...traces.map(({ head }) => head)))
    return { ...error, summary: [...above, error.summary].join('\n').trim() }
  },
}

/** `head` and `end` are the indexes of the first and last lines of the error above the frames. */
type Trace = { head: number; end: number; frames: FrameLine[] }

const frameLine = /^#\d{1,4} (?:(\S.{0,1000}?)\((\d{1,9})\)|\[internal function\]): (.{1,1000})/
const marker = /^(?:Stack trace:|\[stacktrace\])$/
/** `no cart in /app/cart.php:5`, `[object] (NoCart(code: 0): no cart at /app/cart.php:5)` */
const position = /^(.*) (?:in|at) (\S.{0,300}):(\d{1,9})\)?$/
const type =
  '((?:\\\\?[A-Za-z_]\\w{0,100}\\\\{1,2}){0,20}[A-Z]\\w{0,100})(?:\\(code: -?\\w{1,20}\\))?(?:: |$)'
const errorStarts = [
  new RegExp(`(?:Uncaught |^Next |\\[object\\] \\()${type}`),
  // Not a level: `ERROR: …`
  new RegExp(`(?:^|[\\s(])(?![A-Z]{1,20}:)${type}`),
]
const maxHeadLines = 20
const maxTraces = 20
const maxLineLength = 10_000

/** Returns the stack traces, the thrown error first. PHP prints the causes first, and Monolog prints them last. */
function readTraces(lines: readonly string[]): Trace[] {
  const starts = lines.flatMap((line, index) => (line.startsWith('#0 ') ? index : []))
  const traces = starts.slice(0, maxTraces).map(start => readTrace(lines, start))
  return traces.some(({ head }) => lines[head]?.startsWith('Next ')) ? traces.toReversed() : traces
}

function readTrace(lines: readonly string[], first: number): Trace {
  const end = marker.test(lines[first - 1] ?? '') ? first - 2 : -1
  const [, , file, line] = positionIn(lines[end]) ?? []
  const positions = [{ lineIndex: end, file, line }]
  const calls: string[] = []
  for (let index = first; index === first || !lines[index]?.startsWith('#0 '); index += 1) {
    const [, callerFile, callerLine, call] = frameLine.exec(lines[index] ?? '') ?? []
    if (call === undefined) break
    calls.push(call)
    positions.push({ lineIndex: index, file: callerFile, line: callerLine })
  }
  // A line contains the called function and the position of its caller.
  const frames = positions.flatMap(({ lineIndex, file, line }, index) => {
    if (file === undefined) return []
    const functionName = nameOf(calls[index] ?? '{main}')
    return { lineIndex, frame: { functionName, file, line: Number(line), column: null, async: false } }
  })
  return { head: headOf(lines, end), end, frames }
}

function positionIn(line: string | undefined): RegExpExecArray | null {
  return line === undefined || line.length > maxLineLength ? null : position.exec(line)
}

/** Returns the index of the line in which the error starts. Its message can have several lines. */
function headOf(lines: readonly string[], end: number): number {
  for (const start of errorStarts) {
    for (let index = end; index >= 0 && index > end - maxHeadLines; index -= 1) {
      if (start.test(lines[index] ?? '')) return index
    }
  }
  return Math.max(end, 0)
}

/** `Shop\Cart->total(Array)` → `Shop\Cart::total`, as Sentry's SDK writes it. */
function nameOf(call: string): string | null {
  if (call.startsWith('{main}')) return null
  const name = call.startsWith('{closure') ? '{closure}' : call.replace(/\(.*$/, '')
  return unescaped(name.replace('->', '::'))
}

/** Monolog writes stack traces in JSON, but does not escape their line breaks. */
function unescaped(text: string): string {
  return text.replaceAll('\\\\', '\\')
}

function phpErrorAt(lines: readonly string[], { head, end }: Trace): ThrownError | null {
  const last = positionIn(lines[end])?.[1]
  if (last === undefined) return null
  const text = [...lines.slice(head, end), last].join('\n')
  const match = errorStarts.map(start => start.exec(text)).find(each => each !== null)
  const [whole, name] = match ?? []
  if (match === undefined || whole === undefined || name === undefined) return null
  const message = withoutDefined(text.slice(match.index + whole.length).trim())
  const error = { type: unescaped(name), message }
  const above = text.slice(0, match.index)
  // Quotes in a value are escaped, so this is the start of Monolog's context.
  const context = above.endsWith('"exception":"') ? above.lastIndexOf(' {"') : -1
  return { ...error, summary: context < 0 ? `${above}${error.type}: ${message}` : above.slice(0, context) }
}

/** Removes what PHP adds only when it prints a `TypeError`: ` and defined` after `, called in /app/a.php on line 5`. */
function withoutDefined(message: string): string {
  return message.includes(', called in ') ? message.replace(/ and defined$/, '') : message
}

/** Returns the error in the first line of a trace, which also contains the position of the first frame. */
export function phpErrorInFrame(line: string): { type: string; message: string } | null {
  return phpErrorAt([line], { head: 0, end: 0, frames: [] })
}
