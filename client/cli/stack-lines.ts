import { goPosition } from '../../shared/go-position.ts'
import { railsTags, withoutRailsTags } from '../../shared/rails-tags.ts'
import { startsWithTime } from '../../shared/text-time.ts'

/** Patterns that match each runtime's stack trace lines. They determine which lines belong together. */

/**
 * A line with an exception name: `TypeError: …`, `⨯ n [PaymentError]: …`, `Failed: java.io.IOException`,
 * `** (RuntimeError) …` (Elixir), `NoCart (no cart):` (Rails), `Information for: NoCart (no cart):` (Rails, with causes).
 */
export function isErrorHeader(line: string): boolean {
  return (
    /(?:^|[\s[(])[\w$.]{0,200}(?:Error|Exception|Throwable)(?: \[[\w.-]{1,60}\])?(?::|\]|$)|^\*\* \([\w.]{1,200}\) /.test(
      line,
    ) || /^(?:Information for: )?[A-Z][\w:]{0,200} \(.{0,1000}\):$/.test(withoutRailsTags(line))
  )
}

/** The name of an error whose message starts on the next line: `PrismaClientKnownRequestError: `. */
export function isErrorName(line: string): boolean {
  return /^(?:.{0,100}\s)?[\w$.]{0,200}(?:Error|Exception): ?$/.test(line)
}

/** A line that may start with the name of an error: `PaymentDeclined: …`. */
export function mayBeErrorHeader(line: string): boolean {
  return /^(?:Uncaught )?[A-Z][a-z\d]{1,50}[A-Z][\w$]{0,100}: \S/.test(line)
}

/** Lines between or after the frames of a stack trace. */
export function continuesStack(line: string): boolean {
  return (
    startsCauseText(line) ||
    /^\s+\.\.\. \d+ |^Emitted 'error' event |^\s*--- End of (?:inner exception )?stack trace/.test(line) ||
    isCodeFrame(line)
  )
}

/** The first line of a cause, whose message may have more lines. .NET also prints `<---` and an empty line after a cause. */
export function startsCauseText(line: string): boolean {
  return /^\s*(?:(?:Caused by|caused by|Suppressed|Information for cause): | ---> )|<---$/.test(line)
}

/** A frame from V8, the JVM, .NET or Elixir: `    (shop 1.4.0) lib/shop/cart.ex:12: Shop.Cart.total/1`. */
export function isFrame(line: string): boolean {
  return /^\s+(?:at \S|(?:\([^\s)]{1,100}(?: [^\s)]{1,100})?\) )?[^\s:]{1,500}\.(?:exs?|erl):\d{1,9}: )/.test(
    line,
  )
}

/** `app/cart.rb:5:in 'pay'` or, for a frame in a Rails view, `app/views/carts/show.html.erb:2` */
export function isRubyFrame(line: string): boolean {
  return /^\s{0,8}(?:from )?[^\s:]{1,500}(?::\d{1,9}:in [`']|(?<=\.(?:erb|haml|slim|j?builder)):\d{1,9}$)/.test(
    withoutRailsTags(line),
  )
}

/** The first frame of an error or a cause, which contains its message: `app/cart.rb:5:in 'pay': no cart (NoCart)`. */
export function isRubyError(line: string): boolean {
  return /^\s{0,8}(?:from )?[^\s:]{1,500}:\d{1,9}:in [`'][^']{1,300}': ./.test(withoutRailsTags(line))
}

/** Whether a line consists of the next line's tags. Rails logs such a line above an exception if it logs without levels. */
export function isTagsOf(next: string, line: string): boolean {
  return railsTags.exec(next)?.[0].trim() === line.trim()
}

/** `#0 /app/cart.php(5): pay()` */
export function isPhpFrame(line: string): boolean {
  return /^#\d{1,4} \S/.test(line)
}

/** The line between an exception and its frames in PHP. */
export function opensScriptStack(line: string): boolean {
  return /^(?:Stack trace:|\[stacktrace\])$/.test(line)
}

/** The first line of a chained exception in PHP. */
export function chainsScriptStack(line: string): boolean {
  return /^(?:Next [\w\\]{1,200}: |\[previous exception\] )/.test(line)
}

/** The last line of an exception that PHP prints, or that Monolog logs in its context. */
export function endsScriptStack(line: string): boolean {
  return /^ {2}thrown in |^"[},]/.test(line)
}

/** The code around a frame, as printed by Next.js in development: `> 4 |   throw error`, `    |         ^`. */
function isCodeFrame(line: string): boolean {
  return /^\s*>?\s{0,8}\d{0,7}\s\|(?:\s|$)/.test(line)
}

/** The first line of an uncaught exception in Node.js: `/app/cart.js:3`. The code and a caret follow. */
export function isSourcePosition(line: string): boolean {
  return /^(?:file:\/\/|node:|\/|[A-Za-z]:\\|\[eval\]|evalmachine\.)[^\s].{0,1000}:\d{1,9}$|^\[eval\]:\d{1,9}$/.test(
    line,
  )
}

/** The last line of an uncaught exception in Node.js 17 and later. */
export function isNodeVersion(line: string): boolean {
  return /^Node\.js v\d/.test(line)
}

/** The line between chained Python tracebacks. */
export function chainsTracebacks(line: string): boolean {
  return /^(?:During handling of the above exception|The above exception was the direct cause)/.test(line)
}

/** A line that database drivers and SQLAlchemy add to the message of a Python exception. */
export function isDatabaseDetail(line: string): boolean {
  return /^(?:(?:DETAIL|HINT|CONTEXT|LINE \d{1,6}): |\[(?:SQL|parameters): |\(Background on this error at: )/.test(
    line,
  )
}

/** The first line of a pydantic error. The names of fields follow, each with indented lines below it. */
export function isPydanticError(line: string): boolean {
  return /^[\w.<>]+: \d{1,9} validation errors? for /.test(line)
}

/** The first heading below the message of a jsonschema error. Indented lines and another heading follow. */
export function isJsonschemaHeading(line: string): boolean {
  return /^Failed validating .*:$/.test(line)
}

export function isPanic(line: string): boolean {
  return /^(?:panic|fatal error): /.test(line)
}

export function isGoroutine(line: string): boolean {
  return /^goroutine \d{1,20} [^[]{0,100}\[/.test(line)
}

/** A line of a Go stack dump: an indented position, or a function name without indentation. */
export function continuesDump(line: string): boolean {
  return (
    line === '' ||
    isGoroutine(line) ||
    /^(?:\t|created by |\[signal |\.\.\.additional frames|panic: )/.test(line) ||
    (/^[^\s(]+\(/.test(line) && line.endsWith(')'))
  )
}

/** A line that may be the name of a Go function without arguments: `github.com/acme/shop/cart.(*Cart).Pay.func1`. */
export function mayBeGoFunction(line: string): boolean {
  return /^[^\s(]{1,1000}\.(?:\(\*?[^\s()]{1,500}\)\.)?[^\s()]{1,500}$/.test(line)
}

export function isGoPosition(line: string): boolean {
  return goPosition.test(line)
}

/** The last line that `go run` prints. */
export function isExitStatus(line: string): boolean {
  return /^exit status \d{1,3}$/.test(line)
}

/** A line of a Rust backtrace: a function, or its position. */
export function isRustFrame(line: string): boolean {
  return /^\s{1,40}(?:\d{1,9}: |at )/.test(line)
}

/** The line above the frames of a Rust panic, or of an error from anyhow or eyre. */
export function opensRustBacktrace(line: string): boolean {
  return /^[Ss]tack backtrace:$/.test(line)
}

/** The last line that Rust prints for a panic. */
export function isRustNote(line: string): boolean {
  return /^note: .*RUST_BACKTRACE/.test(line)
}

/** A line that always starts a new event: it starts with a time or a request. */
export function startsEvent(line: string): boolean {
  return (
    /^\s?(?:\[?\d{4}-\d\d-\d\d|\[?\d\d:\d\d:\d\d|(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \/)/.test(line) ||
    startsWithTime(line)
  )
}

/** An indented line, which continues the line above, or source code that Rails prints with tags. */
export function isDetail(line: string): boolean {
  return /^(?:\t| {4})/.test(line) || /^ {4,20}\d{1,7}:/.test(withoutRailsTags(line))
}

/** Whether the line starts a multi-line object printed by `util.inspect`. */
export function opensObject(line: string): boolean {
  return /(?:^|\s)[[{]$/.test(line)
}

export function closesObject(line: string): boolean {
  return /^\s*[}\]],?$/.test(line)
}

export function indentOf(line: string): number {
  const at = line.search(/\S/)
  return at === -1 ? line.length : at
}
