import { stripVTControlCharacters } from 'node:util'
import type { Severity } from '../../shared/severity.ts'
import { levelOfText } from '../../shared/text-level.ts'

/** Exceeds the length that `levelOfText` searches, to leave room for ANSI codes. */
const inspectedLength = 240

/** Finds the level in a line, ignoring ANSI codes; `null` if there is none. */
export function levelOf(line: string): Severity | null {
  return levelOfText(withoutAnsi(line.slice(0, inspectedLength)))
}

/** Removes ANSI codes for colours, links and the cursor. */
export function withoutAnsi(text: string): string {
  return text.includes('\u001b') || text.includes('\u009b') ? stripVTControlCharacters(text) : text
}
