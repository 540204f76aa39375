import { parseFrames, type Runtime, type StackFrame, type ThrownError } from './frame.ts'

/** Elixir: `Exception.format/3` (https://hexdocs.pm/elixir/Exception.html#format/3), which its logger also uses. */
export const elixir: Runtime = {
  frames: lines => parseFrames(lines.map(withoutArguments), elixirFrame),
  thrown: (lines, first) => errorAbove(lines.slice(0, first).join('\n').trim().slice(0, maxLength)),
}

const maxLength = 10_000
/** `(shop 1.4.0) lib/shop/cart.ex:12: Shop.Cart.total/1`. The function name ends with its arity or with `()`. */
const frameLine =
  /^(?:\([\w@-]{1,100}(?: [\w.+-]{1,100})?\) )?([^\s:()]{1,1000}\.(?:exs?|erl|[hl]?eex)):(\d{1,9}): (.{1,500}(?:\/\d{1,3}|\)))$/
/** `** (RuntimeError) card declined`. If it ended a process, `** (exit) an exception was raised:` is above it. */
const errorLine =
  /(?:^|\n)\s{0,8}\*\* (?:\(exit\) an exception was raised:\n\s{0,20}\*\* )?\(([A-Za-z][\w.]{0,200})\) ?([\s\S]*)$/

/**
 * If a call failed because of its arguments, Erlang includes them in the frame: `Shop.Cart.total(nil, [])`,
 * `anonymous fn(nil) in Shop.Cart.pay/1`. They differ between occurrences, and can exceed the length limit of a frame.
 */
function withoutArguments(line: string): string {
  const locationStart = line.search(/\.(?:exs?|erl|[hl]?eex):\d/)
  const open = locationStart < 0 ? -1 : line.indexOf('(', locationStart)
  // Code outside a function has a space before the parenthesis: `lib/run.exs:3: (file)`.
  if (open < 0 || line[open - 1] === ' ') return line
  const close = line.lastIndexOf(')')
  return `${line.slice(0, open)}()${close < open ? '' : line.slice(close + 1)}`
}

function elixirFrame(line: string): StackFrame | null {
  const [, file, lineNumber, functionName] = frameLine.exec(line) ?? []
  if (file === undefined || functionName === undefined) return null
  return { functionName, file, line: Number(lineNumber), column: null, async: false }
}

function errorAbove(summary: string): ThrownError | null {
  const [, type, message] = errorLine.exec(summary) ?? []
  return type === undefined || message === undefined ? null : { type, message, summary }
}
