import type { Exception } from '../../shared/event.ts'
import { announced, bracketed } from './runtimes/error-head.ts'
import type { Thrown } from './runtimes/frame.ts'
import { gecko } from './runtimes/gecko.ts'
import { readTrace } from './stack.ts'

/** An exception that a text tells of, and what the text says besides its trace. */
export type ToldException = { exception: Exception; said: string }

/**
 * The exception in a message: a trace of V8 (as thrown, or as Node inspects an error), the JVM, Python, Go or .NET, or
 * a line that says by its form that it is one (`Uncaught TypeError: …`, `[Error: boom]`). `null` for a message that is
 * none, over however many lines. Never throws; takes linear time.
 */
export function exceptionInText(text: string): ToldException | null {
  if (!mayTell.test(text)) return null
  const trace = text.includes('\n') ? readTrace(text) : null
  // A trace of Firefox or Safari is told by the page that holds it, beside its message; a list of URLs looks the same.
  if (trace === null || trace.runtime === gecko) {
    const thrown = bracketed(text)
    // Its properties stand nowhere else.
    return thrown === null ? told(announced(text), null) : told(thrown, text.trim())
  }
  const { lines, frames, runtime } = trace
  const first = Math.min(...frames.map(({ at }) => at))
  return told(runtime.thrown(lines, first), text.trim())
}

/** More than one line, or the beginning of one that tells by itself: nearly no message does, and every one is asked. */
const mayTell = /\n|^\s*(?:[[⨯✖×<]|un)/i

function told(thrown: Thrown | null, stack: string | null): ToldException | null {
  if (thrown === null) return null
  const { type, message, said } = thrown
  return { exception: { type, message, stack }, said: said === '' ? type : said }
}
