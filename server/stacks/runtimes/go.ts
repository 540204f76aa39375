import { goPosition } from '../../../shared/go-position.ts'
import type { FrameLine, Runtime, StackFrame, ThrownError } from './frame.ts'

/** Go: panics, `runtime/debug.Stack()`, and the stacks of zap and pkg/errors, which omit arguments. */
export const go: Runtime = {
  frames(lines) {
    let frames: FrameLine[] = []
    for (const [lineIndex, line] of lines.entries()) {
      // The first goroutine is the one that failed.
      if (frames.length > 0 && isGoroutine(line)) break
      const above = lines[lineIndex - 1] ?? ''
      const frame = goFrame(above, line)
      // Frames above a panic are deferred functions that ran after it.
      if (frame !== null && panicFunction.test(above)) frames = []
      else if (frame !== null) frames.push({ lineIndex, frame })
    }
    return frames
  },
  thrown(lines) {
    const goroutine = lines.findIndex(isGoroutine)
    const above = lines.slice(0, goroutine < 0 ? lines.findIndex(isPosition) - 1 : goroutine)
    const message = above.join('\n').trim()
    return parsePanic(above) ?? { type: goroutine < 0 ? 'error' : 'panic', message, summary: message }
  },
}

/** The runtime prints `panic(…)`, but zap and pkg/errors print the function's own name. */
const panicFunction = /^(?:panic\(|runtime\.gopanic(?:\(|$))/

function isGoroutine(line: string): boolean {
  return /^goroutine \d{1,20} [^[]{0,100}\[/.test(line)
}

function isPosition(line: string): boolean {
  return goPosition.test(line)
}

function goFrame(above: string, line: string): StackFrame | null {
  const [, file, lineNumber] = goPosition.exec(line) ?? []
  if (file === undefined || above.length > 3000) return null
  return { ...parseCall(above.trimEnd()), file, line: Number(lineNumber), column: null }
}

function parseCall(line: string): Pick<StackFrame, 'functionName' | 'async'> {
  const async = line.startsWith('created by ')
  const call = line.replace(/^created by /, '').replace(/ in goroutine \d{1,20}$/, '')
  const name = call.endsWith(')') ? call.slice(0, call.lastIndexOf('(')) : call
  return { functionName: /^\S+$/.test(name) ? name : null, async }
}

function parsePanic(above: readonly string[]): ThrownError | null {
  const from = above.findIndex(line => panic.test(line))
  const [, kind = '', rest = ''] = panic.exec(above[from] ?? '') ?? []
  if (from < 0) return null
  const after = above.slice(from + 1)
  const end = after.findIndex(line => /^\[signal |^\s+panic: |^\s*$/.test(line))
  const message = [rest, ...(end < 0 ? after : after.slice(0, end))]
    .join('\n')
    .replace(/ \[recovered[^\]]{0,50}\]/, '')
  const summary = above.join('\n').trim()
  if (kind === 'fatal error') return { type: kind, message, summary }
  return message.startsWith('runtime error: ')
    ? { type: 'runtime.Error', message: message.slice('runtime error: '.length), summary }
    : { type: 'panic', message, summary }
}

// Also matches net/http's report of a panic in a handler: `http: panic serving 127.0.0.1:52144: …`.
const panic = /^(?:.{0,200} )?(panic|fatal error)(?: serving \S{1,200})?: (.*)$/
