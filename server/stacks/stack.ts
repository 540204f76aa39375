import { dotnet } from './runtimes/dotnet.ts'
import type { PlacedFrame, Runtime, StackFrame } from './runtimes/frame.ts'
import { gecko } from './runtimes/gecko.ts'
import { go } from './runtimes/go.ts'
import { java } from './runtimes/java.ts'
import { isTraceback, python } from './runtimes/python.ts'
import { v8 } from './runtimes/v8.ts'

export type { StackFrame } from './runtimes/frame.ts'

export type StackLine = { text: string; frame: StackFrame | null }

/** A text, and the frames that its runtime wrote into it, innermost first. */
export type Trace = { lines: readonly string[]; frames: readonly PlacedFrame[]; runtime: Runtime }

const mostFrames = 200
const runtimes: readonly Runtime[] = [v8, java, python, go, dotnet, gecko]

/**
 * Reads a stack as V8, SpiderMonkey, JavaScriptCore, the JVM, Python, Go or .NET writes it; `null` where no line
 * of it is a frame. Never throws; takes linear time.
 *
 * Not by `error-stack-parser-es`: it takes every line of a message for a frame of Firefox, knows no cause chain,
 * loses the name of `async` frames and paths with parentheses, and its expressions take quadratic time on long
 * lines; stacks come from strangers here.
 */
export function readTrace(stack: string): Trace | null {
  const lines = stack.split('\n').map(line => (line.endsWith('\r') ? line.slice(0, -1) : line))
  // An error may tell of another runtime's in its message: the one that the text begins with has thrown.
  const order = isTraceback(lines.find(line => line.trim() !== '') ?? '') ? [python, ...runtimes] : runtimes
  for (const runtime of order) {
    const frames = runtime.frames(lines)
    if (frames.length > 0) return { lines, frames: frames.slice(0, mostFrames), runtime }
  }
  return null
}

/**
 * The lines of a stack, each with the frame that it holds; lines without one are messages, code, and what joins a
 * cause (`caused by: …`, as pino writes it) to what it caused.
 */
export function readStack(stack: string): StackLine[] {
  const frames = new Map(readTrace(stack)?.frames.map(({ at, frame }) => [at, frame]))
  return stack.split('\n').map((text, at) => ({ text, frame: frames.get(at) ?? null }))
}

/** The frames of a stack and of its causes, innermost first, in whatever order the runtime wrote them. */
export function stackFrames(stack: string): StackFrame[] {
  return readTrace(stack)?.frames.map(({ frame }) => frame) ?? []
}

/** A frame as V8 writes it. */
export function writeFrame({ functionName, file, line, column, async }: StackFrame): string {
  const place = [file, line, column].filter(part => part !== null).join(':')
  const prefix = `    at ${async ? 'async ' : ''}`
  return functionName === null ? `${prefix}${place}` : `${prefix}${functionName} (${place})`
}
