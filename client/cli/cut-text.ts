import { pluralise } from '../../shared/format.ts'
import type { Line } from './line.ts'

/**
 * The server stores at most 64 KiB per string. Text of this length does not exceed the server's line limit, even when
 * escaped.
 */
export const maxTextLength = 64_000
/** Exceeds the maximum length of an event's text, to leave room for escape codes. */
export const maxInputLength = 2 * maxTextLength

/** Appends a note to text from which characters were cut off. */
export function withCutNote(text: string, cutLength: number): string {
  return `${text} … [${pluralise(cutLength, 'character')} cut]`
}

/** Cuts the text of a line that will not be stored, to limit the memory that pending lines need. */
export function cutLine(line: Line): Line {
  const { text, cutLength = 0 } = line
  if (text.length <= maxInputLength) return line
  // Copies the text, because a part of a string keeps the whole string in memory.
  const copy = Buffer.from(text.slice(0, maxInputLength)).toString()
  return { ...line, text: copy, cutLength: cutLength + text.length - maxInputLength }
}
