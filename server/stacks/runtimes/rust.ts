import { isRustPanic } from '../../../shared/rust-panic.ts'
import { errorInHead } from './error-head.ts'
import type { FrameLine, Runtime, StackFrame } from './frame.ts'

/** Rust: panics, with or without the backtrace that `RUST_BACKTRACE` enables, and backtraces of other errors (anyhow, eyre). */
export const rust: Runtime = {
  frames(lines) {
    const panic = lines.findIndex(isRustPanic)
    const head = panic < 0 ? lines.findIndex(startsBacktrace) : panic
    if (head < 0) return []
    const listed = lines.flatMap((line, lineIndex): FrameLine[] => {
      const frame = lineIndex > head ? frameAt(line, lines[lineIndex - 1] ?? '') : null
      return frame === null ? [] : [{ lineIndex, frame }]
    })
    if (listed.length > 0) return listed
    const frame = toFrame(positionIn(lines[head] ?? ''), null)
    return frame === null ? [] : [{ lineIndex: head, frame }]
  },
  thrown(lines, first) {
    const head = lines.findIndex(isRustPanic)
    if (head < 0) {
      const heading = lines.findIndex(line => /^stack backtrace:$/i.test(line))
      return errorInHead(lines.slice(0, heading < 0 ? first - 1 : heading))
    }
    const below = lines.slice(head + 1)
    const end = below.findIndex(line => /^(?:stack backtrace:$|note: )/.test(line))
    const text = (end < 0 ? below : below.slice(0, end)).join('\n').trim()
    // Before Rust 1.73, the message was in the first line.
    const [, quoted] = / panicked at '(.*)', [^']+$/.exec(lines[head] ?? '') ?? []
    const summary = [...lines.slice(0, head + 1), text].join('\n').trim()
    return { type: 'panic', message: quoted ?? text, summary }
  },
}

const maxLineLength = 3000
/** color-eyre prints no columns. */
const position = /^(\S.{0,1000}?):(\d{1,9})(?::(\d{1,9}))?$/

function positionIn(head: string): string {
  return head.replace(/^.* panicked at (?:'.*', )?/, '').replace(/:$/, '')
}

/** `   0: shop::cart::total`, above `             at ./src/cart.rs:3:5` */
function startsBacktrace(line: string, index: number, lines: readonly string[]): boolean {
  return (
    /^\s{0,8}\d{1,4}: /.test(line) && /^\s{1,40}at .{1,1000}\.rs:[\d:]{1,20}$/.test(lines[index + 1] ?? '')
  )
}

/** Reads a position (`at ./src/main.rs:3:5`). The line above contains the function. */
function frameAt(line: string, above: string): StackFrame | null {
  if (line.length > maxLineLength || above.length > maxLineLength) return null
  const [, location] = /^\s{1,40}at (.+)$/.exec(line) ?? []
  const name = above
    .trim()
    .replace(/^\d{1,9}: {1,20}(?:0x[\da-f]{1,16} - )?/, '')
    // Removes hashes, which differ between builds.
    .replace(/::h[\da-f]{16}$|\[[\da-f]{8,16}\](?=::)/g, '')
  return location === undefined ? null : toFrame(location, name)
}

function toFrame(location: string, functionName: string | null): StackFrame | null {
  const [, file, line, column] = position.exec(location) ?? []
  if (file === undefined) return null
  return {
    functionName,
    file: file.replace(/^\.\//, ''),
    line: Number(line),
    column: column === undefined ? null : Number(column),
    async: false,
  }
}
