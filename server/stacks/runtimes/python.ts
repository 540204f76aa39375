import { isTracebackHeader } from '../../../shared/traceback.ts'
import { errorInHead } from './error-head.ts'
import type { FrameLine, Runtime, ThrownError } from './frame.ts'

/**
 * Python: `traceback.print_exc()`. Python prints the innermost call last and the last exception of a chain last, so the
 * parser reverses both. A group still comes before its exceptions.
 */
export const python: Runtime = {
  frames: lines => parseTracebacks(lines).flatMap(({ frames }) => frames.toReversed()),
  thrown(lines) {
    const [outermost] = parseTracebacks(lines)
    if (outermost === undefined || outermost.header === null) return null
    const first = lines.findIndex(isTracebackHeader)
    const above = lines.slice(0, first)
    // AWS Lambda prints the error above the traceback.
    return errorBelowFrames(lines, outermost, above.join('\n').trim()) ?? errorInHead(above)
  },
}

type Trace = { header: number | null; depth: number; frames: FrameLine[] }

// loguru marks the frame that caught the exception: `> File …`. AWS Lambda indents with no-break spaces.
const frameLine = /^[\s|+>]{0,200}File "([^"]{1,1000})", line (\d{1,9})(?:, in (.{1,300}))?$/

/** Returns the tracebacks in a string, last raised first. Their frames are in the same order as in the string. */
function parseTracebacks(lines: readonly string[]): Trace[] {
  const traces: Trace[] = []
  lines.forEach((line, lineIndex) => {
    if (isTracebackHeader(line)) traces.push({ header: lineIndex, depth: groupDepth(line), frames: [] })
    const [, file, lineNumber, functionName = null] = frameLine.exec(line.trimEnd()) ?? []
    if (file === undefined) return
    if (traces.length === 0) traces.push({ header: null, depth: 0, frames: [] })
    const frame = { functionName, file, line: Number(lineNumber), column: null, async: false }
    traces.at(-1)?.frames.push({ lineIndex, frame })
  })
  return traces.reverse().sort((one, other) => one.depth - other.depth)
}

/** Returns the nesting level of a traceback in exception groups, measured by its margin. The outermost is 0. */
function groupDepth(header: string): number {
  return header.includes('|') ? header.search(/[^ |]/) : 0
}

/** Reads the error, which starts on the first unindented line after the frames. Its message can have several lines. */
function errorBelowFrames(lines: readonly string[], trace: Trace, above: string): ThrownError | null {
  const from = (trace.frames.at(-1)?.lineIndex ?? trace.header ?? 0) + 1
  const below = lines.slice(from).map(line => line.replace(/^ *\| /, ''))
  const start = below.findIndex(line => /^\S/.test(line))
  const [, type = '', rest = ''] =
    /^((?:(?:[A-Za-z_]\w{0,100}|<locals>)\.){0,20}[A-Za-z_]\w{0,200})(?:: (.*))?$/.exec(below[start] ?? '') ??
    []
  if (type === '') return null
  const after = below.slice(start + 1)
  const end = after.findIndex(line => line.trim() === '' || /^ *\+-|^\s*\|\s*$/.test(line))
  const message = [rest, ...(end < 0 ? after : after.slice(0, end))].join('\n').trim()
  const summary = message === '' ? type : `${type}: ${message}`
  return { type, message, summary: above === '' ? summary : `${above}\n${summary}` }
}
