import type { Thrown } from './frame.ts'

const longestHead = 10_000

/** What the lines above the first frame say was thrown. */
export function thrownAbove(lines: readonly string[], first: number): Thrown | null {
  return namedIn(lines.slice(0, first))
}

/**
 * Finds the error's name in what stands above a trace: its own lines, what a program wrote before them
 * (`Failed to load cart: TypeError: …`), the code that Node shows of an uncaught one. `null` where there is none, or
 * where it is none that was thrown: a warning, `console.trace()`.
 */
export function namedIn(head: readonly string[]): Thrown | null {
  const lines = head.join('\n').slice(0, longestHead).split('\n')
  const spoken = lines.findIndex(line => line.trim() !== '')
  for (const [index, line] of lines.entries()) {
    const plain = withoutPrefix(line)
    const match = atStart.exec(plain) ?? inside.exec(plain)
    if (match !== null) return named(match, plain, lines.slice(index + 1))
  }
  const plain = withoutPrefix(lines[spoken] ?? '')
  const match = anyWord.exec(plain)
  return match === null ? null : named(match, plain, lines.slice(spoken + 1))
}

/** A single line that says by its prefix that it tells of an uncaught error: `Uncaught TypeError: …`. */
export function announced(line: string): Thrown | null {
  const plain = withoutPrefix(line)
  if (plain === line.trim()) return null
  const match = atStart.exec(plain)
  return match === null ? null : named(match, plain, [])
}

/**
 * An error without a stack as Node inspects it: `[Error: boom] { digest: '2338471' }`. Without properties its name has
 * to end as errors' do: log lines begin with brackets of many kinds.
 */
export function bracketed(text: string): Thrown | null {
  const plain = withoutPrefix(text).trim()
  const end = plain.endsWith(']') ? plain.length - 1 : plain.endsWith('}') ? plain.indexOf('] {') : -1
  if (!plain.startsWith('[') || end < 0) return null
  const [first = '', ...more] = plain.slice(1, end).slice(0, longestHead).split('\n')
  const match = atStart.exec(first)
  if (match === null || (plain.endsWith(']') && !/(?:Error|Exception)$/.test(match[1] ?? ''))) return null
  return named(match, first, more)
}

function named(match: RegExpExecArray, line: string, below: readonly string[]): Thrown | null {
  const [whole, type = 'Error'] = match
  if (/^Trace$|Warning$/.test(type)) return null
  const message = [line.slice(match.index + whole.length), ...below].join('\n').trim()
  return { type, message, said: [line, ...below].join('\n').trim() }
}

const name = '(?:[A-Za-z_$][\\w$]{0,100}\\.){0,10}[\\w$]{0,100}?(?:Error|Exception)'
const code = '(?: \\[[\\w.-]{1,60}\\])?'
/** What can only be the name of a class: it ends as errors do, or has a capital within. */
const atStart = new RegExp(`^(${name}|[A-Z][a-z\\d]{1,50}[A-Z][\\w$]{0,100})${code}(?::(?= |$)|$)`)
const inside = new RegExp(`(?<![\\w.$])(${name})${code}:(?= )`)
const anyWord = /^([A-Z][\w.$]{0,100})(?::(?= |$)|$)/

const prefix =
  /^\s*(?:(?:⨯|✖|×|<ref \*\d{1,5}>|(?:uncaught ?exception|unhandled ?rejection|unhandled exception)[.:]?|uncaught(?: \(in promise\))?:?)\s+){0,4}/i

function withoutPrefix(line: string): string {
  return line.replace(prefix, '').trimEnd()
}
