import type { Exception } from '../../shared/event.ts'
import { bracketedError, errorAfterPrefix, errorSymbols, uncaughtValue } from './runtimes/error-head.ts'
import type { ThrownError } from './runtimes/frame.ts'
import { gecko } from './runtimes/gecko.ts'
import { parseTrace } from './stack.ts'

/** An exception found in text; `summary` is the text without its stack trace. */
export type FoundException = { exception: Exception; summary: string }

/**
 * Finds the exception in a log message: a stack trace from V8 (of an uncaught exception, or printed by `util.inspect`), the
 * JVM, Python, Go, .NET, Ruby, PHP, Elixir or Rust, or a single line that looks like an error (`Uncaught TypeError: …`,
 * `[Error: boom]`). Returns `null` for ordinary messages, including multi-line ones. Never throws; runs in linear time.
 */
export function exceptionInText(text: string): FoundException | null {
  const found = exceptionInStack(text)
  return found?.summary === '' ? null : found
}

/** Like `exceptionInText`, but Go's frames may have no error above them: `summary` is then empty. */
export function exceptionInStack(text: string): FoundException | null {
  if (!mayContainException.test(text)) return null
  const trace = text.includes('\n') || singleFrame.test(text) ? parseTrace(text) : null
  // Ignore stacks from Firefox and Safari: browsers report stacks separately, and a list of URLs looks like their stacks.
  if (trace === null || trace.runtime === gecko) {
    const thrown = bracketedError(text) ?? uncaughtValue(text)
    // Keep the text as the stack, because only the text contains the error's properties.
    return thrown === null ? toFound(errorAfterPrefix(text), null) : toFound(thrown, text.trim())
  }
  const { lines, frames, runtime } = trace
  const first = Math.min(...frames.map(({ lineIndex }) => lineIndex))
  return toFound(runtime.thrown(lines, first), text.trim())
}

/** Ruby uses a single line for an error that was raised outside a method: `a.rb:1:in '<main>': no cart (NoCart)`. */
const singleFrame = /^[^\s:]{1,300}:\d{1,9}:in [`'].*\)$/

/** A fast check that excludes almost all messages. Accepts multi-line text, and single lines that look like printed errors. */
const mayContainException = new RegExp(
  String.raw`\n|^\s*(?:[[${errorSymbols}<]|un)|${singleFrame.source}`,
  'i',
)

function toFound(thrown: ThrownError | null, stack: string | null): FoundException | null {
  if (thrown === null) return null
  const { type, message, summary } = thrown
  return { exception: { type, message, stack }, summary }
}
