import type { Severity } from '../../shared/severity.ts'
import { levelOfText } from '../../shared/text-level.ts'
import { recordHas } from '../events/normalise.ts'
import type { ParsedLine } from './parse-line.ts'

/** Returns the level at the start of a line, or `null` if there is none or the line's fields contain a level. */
export function levelOfLine({ fields, head }: ParsedLine): Severity | null {
  const level = head === null ? null : levelOfText(head)
  return level === null || recordHas.severity(fields) ? null : level
}
