import { isCaret } from '../../../shared/caret.ts'
import type { ThrownError } from './frame.ts'

const maxHeadLength = 10_000

/** `Runtime.thrown` for runtimes that print the error above the first frame. */
export function errorAboveFrames(lines: readonly string[], first: number): ThrownError | null {
  return errorInHead(lines.slice(0, first))
}

/**
 * Finds the error in the text above a stack trace. The text may also contain a program's message
 * (`Failed to load cart: TypeError: …`) and the source line that Node prints for uncaught errors. Returns `null` if there
 * is no error, or if nothing was thrown (warnings, `console.trace()`).
 */
export function errorInHead(head: readonly string[]): ThrownError | null {
  const lines = belowSource(aboveSource(head)).join('\n').slice(0, maxHeadLength).split('\n')
  const firstText = lines.findIndex(line => line.trim() !== '')
  for (const [index, line] of lines.entries()) {
    const plain = withoutPrefix(line)
    const match = atStart.exec(plain) ?? inside.exec(plain)
    if (match !== null)
      return belowLog(toThrownError(match, plain, lines.slice(index + 1)), lines.slice(0, index))
  }
  const plain = withoutPrefix(lines[firstText] ?? '')
  const match = innerName.exec(plain) ?? anyWord.exec(plain) ?? levelOnly.exec(plain)
  return match === null ? null : toThrownError(match, plain, lines.slice(firstText + 1))
}

/** Adds the log message above the error to the summary, without the object or list that contains the error. */
function belowLog(thrown: ThrownError | null, above: readonly string[]): ThrownError | null {
  const object = above.findIndex(line => /[{[]$/.test(line))
  const message = (object < 0 ? above : above.slice(0, object)).join('\n').trim()
  return thrown === null || message === '' ? thrown : { ...thrown, summary: `${message}\n${thrown.summary}` }
}

/**
 * Skips the location, source line and caret that Node prints above an uncaught error, because the source line of a bundle can
 * contain any text, such as the name of another error. Parser messages also contain carets, but no location two lines above
 * them.
 */
function belowSource(head: readonly string[]): readonly string[] {
  const caret = head.findIndex((line, index) => isCaret(line) && isLocation(head[index - 2] ?? ''))
  return head.slice(caret + 1)
}

/** Removes the source line and caret that Deno prints between an uncaught error and its frames. */
function aboveSource(head: readonly string[]): readonly string[] {
  const first = head.find(line => line.trim() !== '') ?? ''
  return first.startsWith('error: Uncaught ') && isCaret(head.at(-1) ?? '') ? head.slice(0, -2) : head
}

function isLocation(line: string): boolean {
  return /:\d{1,10}\s{0,2}$/.test(line.slice(-20))
}

/** Reads a single line with a prefix that only errors have: `Uncaught TypeError: …`. */
export function errorAfterPrefix(line: string): ThrownError | null {
  const plain = withoutPrefix(line)
  if (plain === line.trim()) return null
  const match = atStart.exec(plain)
  return match === null ? null : toThrownError(match, plain, [])
}

/** Whether a log line contains the name of an error, at its start, or after a colon or quote: `Import failed: Error: …`. */
export function namesError(line: string): boolean {
  return (
    atStart.test(withoutPrefix(line).trimStart()) ||
    /[:"] {0,4}[\w.$]{0,200}(?:Error|Exception)(?:[:"]| \[|$)/.test(line)
  )
}

/**
 * Reads an error without a stack as `util.inspect` prints it: `[Error: boom] { digest: '2338471' }`. If the error has no
 * properties, its name must end in `Error` or `Exception`, because many log lines start with a bracket.
 */
export function bracketedError(text: string): ThrownError | null {
  const plain = withoutPrefix(text).trim()
  const end = plain.endsWith(']') ? plain.length - 1 : plain.endsWith('}') ? plain.indexOf('] {') : -1
  if (!plain.startsWith('[') || end < 0) return null
  const [first = '', ...more] = plain.slice(1, end).slice(0, maxHeadLength).split('\n')
  const match = atStart.exec(first)
  const thrown = match === null ? null : toThrownError(match, first, more)
  return thrown === null || (plain.endsWith(']') && !/(?:Error|Exception)$/.test(thrown.type)) ? null : thrown
}

/** Reads a thrown value without a stack, such as a string, from the output that Node prints before it exits. */
export function uncaughtValue(text: string): ThrownError | null {
  if (!/\nNode\.js v\d\S{0,50}\s*$/.test(text.slice(-100))) return null
  const lines = text.trim().split('\n')
  const below = belowSource(lines)
  if (below.length === lines.length) return null
  const printed = below
    .slice(0, -1)
    .filter(line => !line.startsWith('(Use `node --trace-uncaught'))
    .join('\n')
    .trim()
    .slice(0, maxHeadLength)
  if (printed === '') return null
  return bracketedError(printed) ?? { type: 'Error', message: printed, summary: printed }
}

function toThrownError(match: RegExpExecArray, line: string, below: readonly string[]): ThrownError | null {
  const [whole] = match
  const { bracketed, printed = 'Error' } = match.groups ?? {}
  const type = bracketed ?? printed
  if (/^Trace$|Warning$/.test(type)) return null
  const after = line.slice(match.index + whole.length)
  const message = [after, ...below].join('\n').trim()
  const start = bracketed === undefined ? whole : `${type}${whole.endsWith(':') ? ':' : ''}`
  const summary = [`${line.slice(0, match.index)}${start}${after}`, ...below].join('\n').trim()
  return { type, message, summary }
}

const name = '(?:[A-Za-z_$][\\w$]{0,100}\\.){0,10}[\\w$]{0,100}?(?:Error|Exception)'
/**
 * Node prints the error's name in brackets if the class has another name: `Error [PaymentError]`, or `n [PaymentError]` in
 * minified code. The type is the name in brackets, because reporters send `error.name`.
 */
const bracketedName = `(?:(?:${name}|[A-Za-z_$][\\w$]{0,2}) )?\\[(?<bracketed>${name})\\]`
const code = '(?: \\[[\\w.-]{1,60}\\])?'
/** Names that can only be class names: they end in `Error` or `Exception`, or contain an inner capital letter. */
const atStart = new RegExp(
  `^(?:${bracketedName}|(?<printed>${name}|[A-Z][a-z\\d]{1,50}[A-Z][\\w$]{0,100})${code})(?::(?= |$)|$)`,
)
const inside = new RegExp(`(?<![\\w.$])(?:${bracketedName}(?:$|:(?= ))|(?<printed>${name})${code}:(?= ))`)
/** Used only above frames, because other text contains such words too. */
const innerName = /: (?<printed>[A-Z][a-z\d]{1,50}[A-Z][\w$]{0,100}):(?= )/
const anyWord = /^(?<printed>[A-Z][\w.$]{0,100})(?::(?= |$)|$)/
/**
 * consola prints a level and a tag instead of the error's name (`[error] [db] declined`, `ERROR  declined`), and Bun prints
 * only the level (`error: declined`).
 */
const levelOnly =
  /^(?:\[[\w:-]{1,50}\] {2})?(?:\[(?:error|fatal)\] (?:\[[\w:-]{1,50}\] )?|(?:ERROR|FATAL) {2}|error: )(?=\S)/

/** Symbols that Next.js, consola and other loggers print before an error. */
export const errorSymbols = '⨯✖×'

const prefix = new RegExp(
  String.raw`^\s*(?:(?:[${errorSymbols}]|<ref \*\d{1,5}>|(?:uncaught ?exception|unhandled ?rejection|unhandled exception)[.:]?|uncaught(?: \(in promise\))?:?)\s+){0,4}`,
  'i',
)

function withoutPrefix(line: string): string {
  return line.replace(prefix, '').trimEnd()
}
