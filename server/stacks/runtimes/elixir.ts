import { parseFrames, type Runtime, type StackFrame, type ThrownError } from './frame.ts'

/** Elixir: `Exception.format/3` (https://hexdocs.pm/elixir/Exception.html#format/3), which its logger also uses. */
export const elixir: Runtime = {
  frames: lines => parseFrames(lines, elixirFrame),
  thrown: (lines, first) => errorAbove(lines.slice(0, first).join('\n').trim().slice(0, maxLength)),
}

const maxLength = 10_000
/** `(shop 1.4.0) lib/shop/cart.ex:12: Shop.Cart.total/1`. The function ends in its arity or its arguments. */
const frameLine =
  /^(?:\([\w@-]{1,100}(?: [\w.+-]{1,100})?\) )?([^\s:()]{1,1000}\.(?:exs?|erl|[hl]?eex)):(\d{1,9}): (.{1,500}(?:\/\d{1,3}|\)))$/
/** `** (RuntimeError) card declined` */
const errorLine = /(?:^|\n)\s{0,8}\*\* \(([A-Za-z][\w.]{0,200})\) ?([\s\S]*)$/

function elixirFrame(line: string): StackFrame | null {
  const [, file, lineNumber, functionName] = frameLine.exec(line) ?? []
  if (file === undefined || functionName === undefined) return null
  return { functionName, file, line: Number(lineNumber), column: null, async: false }
}

function errorAbove(summary: string): ThrownError | null {
  const [, type, message] = errorLine.exec(summary) ?? []
  return type === undefined || message === undefined ? null : { type, message, summary }
}
