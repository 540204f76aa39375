import { stripVTControlCharacters } from 'node:util'
import type { Severity } from '../../shared/event.ts'
import { severityWords } from '../../shared/severity-words.ts'

export type Level = Severity

/** Only words that are unambiguous in plain text: `log`, `http` and `alert` are usually part of the message. */
const { trace, debug, info, notice, warn, warning, error, severe, fatal, critical, panic } = severityWords
const levels: Readonly<Record<string, Level>> = {
  ...{ trace, debug, info, notice, warn, warning },
  ...{ error, severe, fatal, critical, panic },
}
const words = Object.keys(levels).join('|')

/** Only the start of a line is searched, because later words belong to the message. */
const prefixLength = 120

/** Common positions of the level, most reliable first; the first group captures the word. */
const patterns = [
  // warn - …, error: …
  new RegExp(`^[^\\p{L}\\p{N}]{0,10}(${words})(?::|\\s{1,4}-\\s)`, 'iu'),
  // [error] …, <warn> …
  new RegExp(`[[<(](${words})[\\])>]`, 'i'),
  // 12:00:01 ERROR …, 12:00:01 | WARN | …
  new RegExp(`(?:^|[\\s|\\]])(${words.toUpperCase()})(?=$|[\\s|:[(])`),
  // logfmt
  new RegExp(`(?:^|\\s)(?:level|lvl|severity)="?(${words})\\b`, 'i'),
  // ERROR:root:…, as Python's logging writes
  new RegExp(`^(${words.toUpperCase()}):`),
  // (node:12) DeprecationWarning: …
  /(?:^|\s)\w{0,50}(Warning): /,
]

/** Finds the level in a line, ignoring ANSI codes; `null` if there is none. */
export function levelOf(line: string): Level | null {
  const start = withoutAnsi(line.slice(0, prefixLength * 2)).slice(0, prefixLength)
  // Next.js: https://github.com/vercel/next.js/blob/canary/packages/next/src/build/output/log.ts
  if (/^\s*⨯/.test(start)) return 'error'
  if (/^\s*⚠/.test(start)) return 'warn'
  for (const pattern of patterns) {
    const word = pattern.exec(start)?.[1]
    if (word !== undefined) return levels[word.toLowerCase()] ?? null
  }
  return null
}

/** The text without ANSI codes for colours, links and the cursor. */
export function withoutAnsi(text: string): string {
  return text.includes('\u001b') || text.includes('\u009b') ? stripVTControlCharacters(text) : text
}
