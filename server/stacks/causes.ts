import { isTracebackHeader } from '../../shared/traceback.ts'
import type { FrameLine } from './runtimes/frame.ts'
import { phpErrorInFrame } from './runtimes/php.ts'
import { rubyErrorInFrame } from './runtimes/ruby.ts'

/**
 * Finds where the frames of each cause start. Returns the first line of each cause, keyed by the index of the line with its
 * first frame. A cause without frames is included in the text of the next cause.
 */
export function causesOf(lines: readonly string[], frames: readonly FrameLine[]): Map<number, string> {
  const causes = new Map<number, string>()
  frames.forEach((next, index) => {
    const previous = frames[index - 1]
    if (previous === undefined) return
    const cause =
      causeInFrame(lines[next.lineIndex] ?? '') ??
      (next.lineIndex > previous.lineIndex
        ? causeBelow(lines, previous, next)
        : causeAbove(lines, previous, next))
    if (cause !== null) causes.set(next.lineIndex, cause)
  })
  return causes
}

/** Ruby and PHP print a cause on the same line as its first frame. */
function causeInFrame(line: string): string | null {
  const error = rubyErrorInFrame(line) ?? phpErrorInFrame(line)
  return error === null ? null : `Caused by: ${error.type}: ${error.message}`
}

/** `Caused by: …` (Java, pino), `[cause]: …` and `Emitted 'error' event …` (Node), and `Suppressed: …` (Java). */
const marks = [
  { pattern: /^\s{0,20}(?:caused by|\[cause\]): (.+)$/i, word: 'Caused by' },
  { pattern: /^\s{0,20}suppressed: (.+)$/i, word: 'Suppressed' },
  { pattern: /^Emitted ('error' event .+?)(?: at:)?$/, word: 'Emitted' },
] as const

function causeBelow(lines: readonly string[], previous: FrameLine, next: FrameLine): string | null {
  const between = lines.slice(previous.lineIndex + 1, next.lineIndex)
  const found = between.flatMap(line => {
    for (const { pattern, word } of marks) {
      const [, error] = pattern.exec(line) ?? []
      if (error !== undefined) return `${word}: ${error.replace(/ \{$/, '')}`
    }
    return []
  })
  if (found.length > 0) return found.join('\n')
  const listed = errorAbove(between) ?? errorInGroup(lines, between, next)
  return listed === null ? null : `One of its errors: ${listed}`
}

/** Node prints the errors of an `AggregateError` with their frames, in a list below the frames of the `AggregateError`. */
function errorAbove(between: readonly string[]): string | null {
  const line = between.findLast(each =>
    /^\s{1,200}(?:[A-Z][\w$]{0,100})?(?:Error|Exception)(?:: | \[|$)/.test(each),
  )
  return line?.trim() ?? null
}

/** `+---------------- 2 ----------------` above an error in a Python exception group. */
const groupRule = /^[\s|]{0,200}\+-[-+]* \d{1,9} -+$/
/** The sentence that Python prints between two chained tracebacks. */
const chain = /^[\s|]{0,200}(?:The above exception was|During handling of) /
/** The maximum number of lines to search for the error below a frame. Source code may precede the error. */
const maxLinesToError = 50

function errorInGroup(lines: readonly string[], between: readonly string[], next: FrameLine): string | null {
  const below = next.lineIndex + 1
  return between.some(line => groupRule.test(line))
    ? pythonError(lines.slice(below, below + maxLinesToError))
    : null
}

/** Python prints the cause first, and each error below its own frames. The parser also reverses the errors of a group. */
function causeAbove(lines: readonly string[], previous: FrameLine, next: FrameLine): string | null {
  const between = lines.slice(next.lineIndex + 1, previous.lineIndex)
  if (!between.some(isTracebackHeader)) return null
  const error = pythonError(between)
  if (error === null) return null
  const link = between.findLast(line => groupRule.test(line) || chain.test(line)) ?? ''
  if (groupRule.test(link)) return `One of its errors: ${error}`
  return `${link.includes('was the direct cause of') ? 'Caused by' : 'While handling'}: ${error}`
}

/** Returns the first error, without the margin of an exception group. */
function pythonError(lines: readonly string[]): string | null {
  const errors = lines.map(line => /^(?: {0,200}\| )?([\w.]+(?:: .*)?)$/.exec(line)?.[1])
  return errors.find(error => error !== undefined) ?? null
}
