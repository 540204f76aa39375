import type { PlacedFrame, Runtime, StackFrame, Thrown } from './frame.ts'

/** Go: a panic, `runtime/debug.Stack()`, and the traces of zap and pkg/errors, which leave the arguments out. */
export const go: Runtime = {
  frames(lines) {
    let frames: PlacedFrame[] = []
    for (const [at, line] of lines.entries()) {
      // The first goroutine is the one that failed.
      if (frames.length > 0 && isGoroutine(line)) break
      const above = lines[at - 1] ?? ''
      const frame = goFrame(above, line)
      // What stands above a panic ran because of it: deferred functions that recover and tell.
      if (frame !== null && above.startsWith('panic(')) frames = []
      else if (frame !== null) frames.push({ at, frame })
    }
    return frames
  },
  thrown(lines, first) {
    const goroutine = lines.findIndex(isGoroutine)
    const above = lines.slice(0, goroutine < 0 ? first - 1 : goroutine)
    const message = above.join('\n').trim()
    return thrownIn(above) ?? { type: goroutine < 0 ? 'error' : 'panic', message, said: message }
  },
}

function isGoroutine(line: string): boolean {
  return /^goroutine \d{1,20} [^[]{0,100}\[/.test(line)
}

const placeLine = /^(?:\t| {2,8})(\S.{0,1000}\.(?:go|s|c)):(\d{1,9})(?: \+0x[\da-f]{1,16})?\s*$/

function goFrame(above: string, line: string): StackFrame | null {
  const [, file, lineNumber] = placeLine.exec(line) ?? []
  if (file === undefined || above.length > 3000) return null
  return { ...calledIn(above.trimEnd()), file, line: Number(lineNumber), column: null }
}

function calledIn(line: string): Pick<StackFrame, 'functionName' | 'async'> {
  const async = line.startsWith('created by ')
  const call = line.replace(/^created by /, '').replace(/ in goroutine \d{1,20}$/, '')
  const name = call.endsWith(')') ? call.slice(0, call.lastIndexOf('(')) : call
  return { functionName: /^\S+$/.test(name) ? name : null, async }
}

function thrownIn(above: readonly string[]): Thrown | null {
  const from = above.findIndex(line => panic.test(line))
  const [, kind = '', rest = ''] = panic.exec(above[from] ?? '') ?? []
  if (from < 0) return null
  const after = above.slice(from + 1)
  const end = after.findIndex(line => /^\[signal |^\s+panic: |^\s*$/.test(line))
  const message = [rest, ...(end < 0 ? after : after.slice(0, end))]
    .join('\n')
    .replace(/ \[recovered[^\]]{0,50}\]/, '')
  const said = above.join('\n').trim()
  if (kind === 'fatal error') return { type: kind, message, said }
  return message.startsWith('runtime error: ')
    ? { type: 'runtime.Error', message: message.slice('runtime error: '.length), said }
    : { type: 'panic', message, said }
}

// net/http tells of a panic in a handler in its own words.
const panic = /^(?:.{0,200} )?(panic|fatal error)(?: serving \S{1,200})?: (.*)$/
