import type { PlacedFrame, Runtime, Thrown } from './frame.ts'

/**
 * Python: `traceback.print_exc()`. A trace ends with the innermost call, and a chain of exceptions with the last
 * one that was raised: all is turned around. Only the exceptions of a group stand behind it.
 */
export const python: Runtime = {
  frames: lines => tracesOf(lines).flatMap(({ frames }) => frames.toReversed()),
  thrown(lines) {
    const [outermost] = tracesOf(lines)
    if (outermost === undefined || outermost.header === null) return null
    const first = lines.findIndex(isTraceback)
    return thrownBelow(lines, outermost, lines.slice(0, first).join('\n').trim())
  },
}

export function isTraceback(line: string): boolean {
  return /^[ |+]{0,200}(?:Exception Group )?Traceback \(most recent call last\):\s*$/.test(line)
}

type Trace = { header: number | null; depth: number; frames: PlacedFrame[] }

const frameLine = /^[ |+]{0,200}File "([^"]{1,1000})", line (\d{1,9})(?:, in (.{1,300}))?$/

/** The traces of a text, each with its frames in the text's order, the last raised first. */
function tracesOf(lines: readonly string[]): Trace[] {
  const traces: Trace[] = []
  lines.forEach((line, at) => {
    if (isTraceback(line)) traces.push({ header: at, depth: depthOf(line), frames: [] })
    const [, file, lineNumber, functionName = null] = frameLine.exec(line.trimEnd()) ?? []
    if (file === undefined) return
    if (traces.length === 0) traces.push({ header: null, depth: 0, frames: [] })
    const frame = { functionName, file, line: Number(lineNumber), column: null, async: false }
    traces.at(-1)?.frames.push({ at, frame })
  })
  return traces.reverse().sort((one, other) => one.depth - other.depth)
}

/** How deep in groups a trace stands: its margin. The first line of a group has a `+` in place of one. */
function depthOf(header: string): number {
  return header.includes('|') ? header.search(/[^ |]/) : 0
}

/** The first line below the frames that is not indented tells what was raised; a message may go on below. */
function thrownBelow(lines: readonly string[], trace: Trace, above: string): Thrown | null {
  const from = (trace.frames.at(-1)?.at ?? trace.header ?? 0) + 1
  const below = lines.slice(from).map(line => line.replace(/^ *\| /, ''))
  const start = below.findIndex(line => /^\S/.test(line))
  const [, type = '', rest = ''] =
    /^((?:[A-Za-z_]\w{0,100}\.){0,20}[A-Za-z_]\w{0,200})(?:: (.*))?$/.exec(below[start] ?? '') ?? []
  if (type === '') return null
  const after = below.slice(start + 1)
  const end = after.findIndex(line => line.trim() === '' || /^ *\+-|^\s*\|\s*$/.test(line))
  const message = [rest, ...(end < 0 ? after : after.slice(0, end))].join('\n').trim()
  const said = message === '' ? type : `${type}: ${message}`
  return { type, message, said: above === '' ? said : `${above}\n${said}` }
}
