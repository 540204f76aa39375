import { isCaret } from '../../shared/caret.ts'
import { withoutRailsTags } from '../../shared/rails-tags.ts'
import { isRustPanic } from '../../shared/rust-panic.ts'
import { isFailureSeverity } from '../../shared/severity.ts'
import { isTracebackHeader } from '../../shared/traceback.ts'
import type { Line } from './line.ts'
import { levelOf, withoutAnsi } from './plain-text.ts'
import * as stack from './stack-lines.ts'

/** Maximum length of the source line above an uncaught exception. */
const maxSourceChars = 1000
/** Maximum number of characters inspected per line. */
const inspectedChars = 2000

type Kind =
  | 'text'
  | 'uncaught'
  | 'uncaught-framed'
  | 'python'
  | 'python-message'
  | 'python-headings'
  | 'go'
  | 'go-function'
  | 'go-frames'
  | 'script'
  | 'rust'
  | 'rust-frames'

/** The lines received so far that may form one event. */
export type Group = {
  kind: Kind
  lines: Line[]
  chars: number
  /** The number of lines known to belong to the group. The remaining lines belong to it only if a stack trace follows. */
  confirmed: number
  head: string
  hasStack: boolean
  /** The indentation of the closing bracket while inside an object printed by `util.inspect`; otherwise `null`. */
  openAt: number | null
}

/** Whether a line belongs to the group above it; `last` also ends the group. */
type Relation = 'yes' | 'maybe' | 'last' | 'no'

/** Returns the start of a line, without ANSI codes. */
export function inspectedText({ text }: Line): string {
  return withoutAnsi(text.slice(0, inspectedChars))
}

/** Starts a group with its first line. `head` is the inspected text of the line. */
export function begin(line: Line, head: string): Group {
  const kind = kindOf(head)
  const openAt = stack.opensObject(head) ? stack.indentOf(head) : null
  return {
    kind,
    lines: [line],
    chars: line.text.length,
    confirmed: 1,
    head,
    hasStack: ['python', 'script', 'rust'].includes(kind),
    openAt,
  }
}

function kindOf(head: string): Kind {
  if (isTracebackHeader(head)) return 'python'
  if (stack.isPanic(head) || stack.isGoroutine(head)) return 'go'
  if (isRustPanic(head)) return 'rust'
  return stack.isRubyError(head) ? 'script' : 'text'
}

/** Classifies a line and updates the state of the group. */
export function classify(group: Group, line: string): Relation {
  if (group.openAt !== null) {
    if (line === '' || stack.indentOf(line) > group.openAt) return 'yes'
    const { openAt } = group
    group.openAt = null
    if (stack.closesObject(line) && stack.indentOf(line) <= openAt) return 'yes'
  }
  switch (group.kind) {
    case 'python':
      return inTraceback(group, line)
    case 'python-message':
    case 'python-headings':
      return afterTraceback(group, line)
    case 'go':
      return inGoDump(group, line)
    case 'uncaught':
    case 'uncaught-framed':
      return inUncaught(group, line)
    case 'script':
      return inScriptStack(group, line)
    case 'rust':
      return inRustPanic(group, line)
    case 'rust-frames':
      return inRustBacktrace(line)
    case 'go-function':
      return completesGoFrame(group, line) ? becomesGoFrames(group) : 'no'
    case 'go-frames':
      return inGoFrames(group, line)
    case 'text':
      return inTextOrGoFrames(group, line)
  }
}

/** The name of a Go function is known to belong to the group only if its position follows. */
function inTextOrGoFrames(group: Group, line: string): Relation {
  if (completesGoFrame(group, line)) return becomesGoFrames(group)
  const relation = inText(group, line)
  if (relation !== 'no' || !stack.mayBeGoFunction(line)) return relation
  group.kind = 'go-function'
  return 'maybe'
}

function inText(group: Group, line: string): Relation {
  const { head, hasStack, lines, confirmed } = group
  if (stack.isFrame(line)) return addFrame(group, line)
  if (stack.isRubyError(line) && !isFailure(head)) return 'no'
  if (stack.opensScriptStack(line) || stack.isRubyFrame(line)) return becomes(group, 'script')
  if (stack.opensRustBacktrace(line)) return becomes(group, 'rust-frames')
  if (hasStack) {
    if (stack.continuesStack(line) || stack.isDetail(line)) return addFrame(group, line)
    return stack.startsCauseText(lines[confirmed - 1]?.text ?? '') && !isSeparate(group, line)
      ? 'maybe'
      : 'no'
  }

  const isSecond = lines.length === 1
  if (stack.isSourcePosition(head)) {
    if (isSecond) return 'maybe'
    if (lines.length === 2 && isCaret(line)) {
      truncateSource(group)
      return becomes(group, 'uncaught')
    }
  }
  if (stack.isDetail(line)) return lines.length > confirmed ? 'maybe' : 'yes'
  if (stack.isGoroutine(line)) return isSecond ? becomes(group, 'go') : 'no'

  if (isTracebackHeader(line)) return isSecond && isFailure(head) ? becomes(group, 'python') : 'no'
  // A logger may print its message and an empty line above the error.
  const isError = lines.slice(0, 3).some(each => stack.isErrorHeader(inspectedText(each)))
  if (isSecond && line === '' && isFailure(head)) return 'maybe'
  // Spring Boot writes an empty line above the exception.
  const isNext = isSecond || (lines.length === 2 && lines[1]?.text === '')
  if (
    isNext &&
    stack.isErrorHeader(line) &&
    (!isError || stack.startsEvent(head)) &&
    (stack.isTagsOf(line, head) || isFailure(head))
  )
    return 'maybe'
  if (isError) return stack.startsCauseText(line) || !isSeparate(group, line) ? 'maybe' : 'no'
  const mayBeMessage = stack.mayBeErrorHeader(head) && !stack.mayBeErrorHeader(line)
  return mayBeMessage && !isSeparate(group, line) ? 'maybe' : 'no'
}

// Finding a level takes longer than the other checks, so each condition of `inText` calls these two functions last.

function isFailure(head: string): boolean {
  const level = levelOf(head)
  return level !== null && isFailureSeverity(level)
}

/** Whether a line that is not part of a stack is a separate event. */
function isSeparate({ head }: Group, line: string): boolean {
  return (
    stack.startsEvent(line) ||
    stack.isErrorHeader(line) ||
    (levelOf(line) !== null && !stack.isErrorName(head))
  )
}

/** Ruby prints source code below an error, and PHP prints an empty line between chained exceptions. */
function inScriptStack(group: Group, line: string): Relation {
  if (stack.endsScriptStack(line)) return 'last'
  if (
    stack.isRubyFrame(line) ||
    stack.isPhpFrame(line) ||
    stack.opensScriptStack(line) ||
    stack.chainsScriptStack(line)
  )
    return 'yes'
  if (stack.isFrame(line) || stack.continuesStack(line)) return addFrame(group, line)
  const isMessage = stack.isRubyError(group.lines[group.confirmed - 1]?.text ?? '')
  return /^(?:$| {2})/.test(withoutRailsTags(line)) || isMessage ? 'maybe' : 'no'
}

/** Truncates the source line above an uncaught exception. In a bundle, this line can exceed the length limit of an event. */
function truncateSource(group: Group): void {
  group.lines = group.lines.map(line =>
    line.text.length > maxSourceChars
      ? { ...line, text: `${line.text.slice(0, maxSourceChars)} …`, cutLength: 0 }
      : line,
  )
  group.chars = group.lines.reduce((sum, { text }) => sum + text.length, 0)
}

function becomes(group: Group, kind: Kind): 'yes' {
  group.kind = kind
  group.hasStack = true
  return 'yes'
}

/** Node.js prints the properties of an error after its last frame: `at main.js:1:2 {`. */
function addFrame(group: Group, line: string): 'yes' {
  group.hasStack = true
  if (stack.opensObject(line)) {
    // A prefix before the error (` ⨯ Error: …`) does not indent the following lines.
    const stackIndent = stack.isFrame(line) ? Math.max(stack.indentOf(line) - 4, 0) : 0
    group.openAt = Math.min(stack.indentOf(group.head), stackIndent)
  }
  return 'yes'
}

function inUncaught(group: Group, line: string): Relation {
  if (stack.isNodeVersion(line)) return 'last'
  if (stack.isFrame(line)) group.kind = 'uncaught-framed'
  if (stack.isFrame(line) || stack.continuesStack(line)) return addFrame(group, line)
  return line === '' || stack.isDetail(line) || group.kind === 'uncaught' ? 'yes' : 'no'
}

function inTraceback(group: Group, line: string): Relation {
  if (line === group.head) return 'no'
  // loguru prints empty lines around frames, and marks one frame: `> File …`.
  if (line === '') return 'maybe'
  if (/^[\s|+>]/.test(line)) return 'yes'
  if (group.lines.some(({ text }) => text.includes('Exception Group')) || !/^[\w.<>]+(?::|$)/.test(line))
    return 'no'
  group.kind = stack.isPydanticError(line) ? 'python-headings' : 'python-message'
  return 'yes'
}

function afterTraceback(group: Group, line: string): Relation {
  if (line === '') return 'maybe'
  if (stack.isDetail(line) || stack.isDatabaseDetail(line) || stack.chainsTracebacks(line)) return 'yes'
  if (isTracebackHeader(line)) {
    if (!stack.chainsTracebacks(group.lines[group.confirmed - 1]?.text ?? '')) return 'no'
    group.kind = 'python'
    return 'yes'
  }
  if (stack.isJsonschemaHeading(line)) return becomes(group, 'python-headings')
  if (group.kind !== 'python-headings') return 'no'
  if (line.startsWith('  ')) return 'yes'
  return isSeparate(group, line) ? 'no' : 'maybe'
}

function inGoDump(group: Group, line: string): Relation {
  if (stack.isExitStatus(line)) return 'last'
  if (group.hasStack && stack.isPanic(line)) return 'no'
  if (stack.isGoroutine(line)) group.hasStack = true
  if (stack.continuesDump(line)) return 'yes'
  return group.hasStack ? 'no' : 'maybe'
}

function completesGoFrame({ lines }: Group, line: string): boolean {
  const above = lines.at(-1)
  return stack.isGoPosition(line) && above !== undefined && stack.mayBeGoFunction(inspectedText(above))
}

/** Frames without a line above them, which contains the error, are not a stack trace. */
function becomesGoFrames(group: Group): 'yes' {
  group.kind = 'go-frames'
  group.hasStack ||= group.lines.length > 1
  return 'yes'
}

/** Frames without arguments, as in zap's console output. pkg/errors prints the message and frames of a wrapper below a cause. */
function inGoFrames(group: Group, line: string): Relation {
  if (completesGoFrame(group, line)) return 'yes'
  if (stack.mayBeGoFunction(line) && group.lines.length === group.confirmed) return 'maybe'
  // Without a time at the start of each event, the message of a wrapper looks like that of another error.
  return stack.startsEvent(group.head) && endsGoroutine(group) && !isSeparate(group, line) ? 'maybe' : 'no'
}

/** Whether the group ends with the outermost frame of a goroutine, which pkg/errors prints, but zap does not. */
function endsGoroutine({ lines, confirmed }: Group): boolean {
  return lines[confirmed - 2]?.text === 'runtime.goexit'
}

/** The lines of a panic's message are known to belong to the panic only if a backtrace or a note follows. */
function inRustPanic(group: Group, line: string): Relation {
  if (stack.isRustNote(line)) return 'last'
  if (isRustPanic(line)) return 'no'
  if (stack.opensRustBacktrace(line)) return becomes(group, 'rust-frames')
  const isMessage = group.lines.length === 1 && group.head.endsWith(':')
  return isMessage ? 'yes' : 'maybe'
}

function inRustBacktrace(line: string): Relation {
  if (stack.isRustNote(line)) return 'last'
  return stack.isRustFrame(line) ? 'yes' : 'no'
}
