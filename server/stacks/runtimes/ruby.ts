import { railsTags, withoutRailsTags } from '../../../shared/rails-tags.ts'
import { errorInHead } from './error-head.ts'
import { parseFrames, type Runtime, type StackFrame, type ThrownError } from './frame.ts'

/** Ruby: `Exception#full_message`, and a message with the lines of a backtrace below it (`Logger`, Rails). */
export const ruby: Runtime = {
  frames: lines => parseFrames(lines, rubyFrame),
  thrown(lines, first) {
    const above = lines.slice(0, first)
    const head = withoutExcerpt(railsTags.test(lines[first] ?? '') ? above.map(withoutRailsTags) : above)
    return (
      errorInFirstFrame(lines, first) ??
      errorAbove(head.join('\n').trim().slice(-maxLength)) ??
      errorInHead(head)
    )
  },
}

// Rails can write tags before a frame: `[6f1d2c3b] a.rb:5:in 'f'`.
// Until Ruby 3.3, the opening quote is a backtick. The first frame is followed by the error: `a.rb:5:in 'f': no cart (NoCart)`.
const frameLine =
  /(?:^(?:from )?|(?<=[:\]] ))((?:[A-Za-z]:)?[^\s:]{1,1000}\.(?:rb|rake|ru|erb|haml|slim|j?builder)|<internal:[^\s>]{1,200}>):(\d{1,9}):in [`'](.{1,300}?)'(?:$|: (.*))/
/** Rails removes the names of functions in views: `app/views/carts/show.html.erb:2`. */
const viewLine = /(?:^|(?<=\] ))((?:[A-Za-z]:)?[^\s:]{1,1000}\.(?:erb|haml|slim|j?builder)):(\d{1,9})$/
/** The numbers at the end differ in each process: Rails compiles a view to `_app_views_carts_show_html_erb___48_340`. */
const viewFunction = /__\d+(?:_\d+)+$/
const maxLength = 10_000
const type = '((?:[A-Z]\\w{0,100}::){0,10}[A-Z]\\w{0,100})'
/** `no cart (Shop::NoCart)` */
const typeAtEnd = new RegExp(`^([\\s\\S]*) \\(${type}\\)$`)
/** `Shop::NoCart: no cart`, and as Rails writes it, `Shop::NoCart (no cart):` */
const typeAtStart = new RegExp(`^${type}: ([\\s\\S]*)$`)
const railsError = new RegExp(`(?:^|\\s)${type} \\(([\\s\\S]*)\\):$`)
/** `E, [2026-11-26T13:37:08.254170 #42] ERROR -- shop: ` */
const loggerPrefix = /^[A-Z], \[[^\]\n]{1,60}\] {1,2}[A-Z]{3,7} -- [^:\n]{0,100}: /

function rubyFrame(line: string): StackFrame | null {
  const [, file, lineNumber, name = ''] = frameLine.exec(line) ?? viewLine.exec(line) ?? []
  if (file === undefined) return null
  return {
    // Removes the space before a parenthesis, because frames from Sentry are printed without it.
    functionName: name === '' || viewFunction.test(name) ? null : name.replaceAll(' (', '('),
    file,
    line: Number(lineNumber),
    column: null,
    async: false,
  }
}

/** Removes the source code that Rails prints below an error in a view: `    2: <%= cart.total %>`. */
function withoutExcerpt(head: readonly string[]): readonly string[] {
  const last = head.findLastIndex(line => !/^\s*$|^ {4,20}\d{1,7}:/.test(line))
  return head.slice(0, last + 1)
}

/** Returns the error on a frame's line. Only the first frame of an error or a cause has an error on its line. */
export function rubyErrorInFrame(line: string): { type: string; message: string } | null {
  const [, message, name] = typeAtEnd.exec(frameLine.exec(line)?.[4] ?? '') ?? []
  return message === undefined || name === undefined ? null : { type: name, message }
}

function errorInFirstFrame(lines: readonly string[], first: number): ThrownError | null {
  const line = lines[first] ?? ''
  const error = rubyErrorInFrame(line)
  if (error === null) return null
  const above = [...lines.slice(0, first), line.slice(0, frameLine.exec(line)?.index)].join('\n').trim()
  const summary = `${error.message} (${error.type})`
  return { ...error, summary: above === '' ? summary : `${above} ${summary}` }
}

function errorAbove(text: string): ThrownError | null {
  // If an error has causes, Rails first lists them, and then prints the error after `Information for: `.
  const plain = text.replace(loggerPrefix, '').replace(/^(?:[\s\S]*\n)?Information for: /, '')
  const [, message, name] = typeAtEnd.exec(plain) ?? []
  if (message !== undefined && name !== undefined) return { type: name, message, summary: text }
  // `railsError` takes quadratic time on text that does not end with `):`.
  const pattern = plain.endsWith('):') ? railsError : typeAtStart
  const [, first, rest] = pattern.exec(plain) ?? []
  return first === undefined || rest === undefined ? null : { type: first, message: rest, summary: text }
}
