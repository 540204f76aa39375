import { isRustPanic } from '../../shared/rust-panic.ts'
import { isTracebackHeader } from '../../shared/traceback.ts'
import { causesOf } from './causes.ts'
import { dotnet } from './runtimes/dotnet.ts'
import { elixir } from './runtimes/elixir.ts'
import { namesError } from './runtimes/error-head.ts'
import type { FrameLine, Runtime, StackFrame } from './runtimes/frame.ts'
import { gecko } from './runtimes/gecko.ts'
import { go } from './runtimes/go.ts'
import { java } from './runtimes/java.ts'
import { php } from './runtimes/php.ts'
import { python } from './runtimes/python.ts'
import { ruby } from './runtimes/ruby.ts'
import { rust } from './runtimes/rust.ts'
import { v8 } from './runtimes/v8.ts'

export type { StackFrame } from './runtimes/frame.ts'

/** A line of a stack, and its frame if it has one. */
export type StackLine = { text: string; frame: StackFrame | null }

/** A stack's lines with the frames found in it, innermost first. */
export type Trace = { lines: readonly string[]; frames: readonly FrameLine[]; runtime: Runtime }

/** Maximum numbers of frames at the start and at the end of a stack. The last frames belong to the root cause. */
const maxFirstFrames = 200
const maxLastFrames = 100
const maxCauseLength = 300
const others: readonly Runtime[] = [java, python, go, dotnet, ruby, php, elixir, rust]
const runtimes: readonly Runtime[] = [v8, ...others, gecko]

/**
 * Parses a stack from V8, SpiderMonkey, JavaScriptCore, the JVM, Python, Go, .NET, Ruby, PHP, Elixir or Rust. Returns `null` if
 * no line is a frame. Never throws; runs in linear time.
 *
 * `error-stack-parser-es` is not used: it parses message lines as Firefox frames, ignores causes, loses the names of
 * `async` frames and paths with parentheses, and takes quadratic time on long lines. Stacks are untrusted input here.
 */
export function parseTrace(stack: string): Trace | null {
  const lines = stack.split('\n').map(line => (line.endsWith('\r') ? line.slice(0, -1) : line))
  // A message can quote a trace from another runtime. The first line shows whether the text is from Python or Rust.
  const start = lines.find(line => line.trim() !== '') ?? ''
  const first = isTracebackHeader(start) ? [python] : isRustPanic(start) ? [rust] : []
  for (const runtime of [...first, ...runtimes]) {
    const frames = runtime.frames(lines)
    if (frames.length === 0) continue
    const thrower = runtime === v8 ? quotingRuntime(lines, frames) : null
    return thrower === null
      ? { lines, frames: limited(frames), runtime }
      : { lines, frames: limited(thrower.frames(lines)), runtime: thrower }
  }
  return null
}

/**
 * Finds the runtime whose exception quotes these frames from V8 in its message, as Playwright's do. Most runtimes print their
 * own frames below the message. Python prints them above it, except in AWS Lambda. If an error of Node is above the traceback,
 * or the other frames belong to a cause, the exception is from Node instead.
 */
function quotingRuntime(lines: readonly string[], quoted: readonly FrameLine[]): Runtime | null {
  const above = lines.slice(0, quoted[0]?.lineIndex)
  const header = above.findIndex(isTracebackHeader)
  if (header >= 0 && !above.slice(0, header).some(namesError) && python.frames(above).length > 0)
    return python
  const rest = lines.slice((quoted.at(-1)?.lineIndex ?? 0) + 1)
  const cause = rest.findIndex(startsCause)
  const below = cause < 0 ? rest : rest.slice(0, cause)
  const isFromLambda = lines.some(line => line.startsWith('[ERROR] '))
  if (below.some(isTracebackHeader) && !isFromLambda) return null
  return others.find(runtime => runtime.frames(below).length > 0) ?? null
}

/** How Node and pino introduce a cause. Java writes `Caused by`. */
function startsCause(line: string): boolean {
  return /^\s{0,20}(?:caused by|\[cause\]): /.test(line)
}

function limited(frames: readonly FrameLine[]): readonly FrameLine[] {
  return frames.length <= maxFirstFrames + maxLastFrames
    ? frames
    : [...frames.slice(0, maxFirstFrames), ...frames.slice(-maxLastFrames)]
}

/**
 * Returns every line of a stack with its frame. Lines without a frame are messages, source code, and separators between
 * an error and its cause (pino writes `caused by: …`).
 */
export function parseStack(stack: string): StackLine[] {
  const frames = new Map(parseTrace(stack)?.frames.map(({ lineIndex, frame }) => [lineIndex, frame]))
  return stack.split('\n').map((text, index) => ({ text, frame: frames.get(index) ?? null }))
}

/** Returns the frames of a stack and its causes, innermost first, regardless of the order that the runtime uses. */
export function stackFrames(stack: string): StackFrame[] {
  return parseTrace(stack)?.frames.map(({ frame }) => frame) ?? []
}

/** Like `stackFrames`. The first frame of each cause has the cause's first line in `cause`. */
export function framesWithCauses(stack: string): { frame: StackFrame; cause: string | null }[] {
  const trace = parseTrace(stack)
  if (trace === null) return []
  const causes = trace.runtime.causes?.(trace.lines) ?? causesOf(trace.lines, trace.frames)
  return trace.frames.map(({ lineIndex, frame }) => ({
    frame,
    cause: causes.get(lineIndex)?.slice(0, maxCauseLength) ?? null,
  }))
}

/** Formats a frame as V8 does. */
export function formatFrame({ functionName, file, line, column, async }: StackFrame): string {
  const location = [file, line, column].filter(part => part !== null).join(':')
  const prefix = `    at ${async ? 'async ' : ''}`
  return functionName === null ? `${prefix}${location}` : `${prefix}${functionName} (${location})`
}
