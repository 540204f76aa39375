import { textTimeOf } from '../../shared/text-time.ts'
import { recordHas } from '../events/normalise.ts'
import type { ParsedLine } from './parse-line.ts'

/**
 * Returns the time at the start of a plain-text line, or `null` if the line's prefix already contains a time. Ignores a time
 * without a zone, because only the sender knows the zone. Ignores a time older than the retention period, because text that
 * only looks like a time must not cause the line to be rejected.
 */
export function zonedTimeOf({ fields, text }: ParsedLine, nowMs: number, oldestMs: number): number | null {
  const time = text === null ? null : textTimeOf(text, nowMs)
  if (time === null || !time.hasZone || time.timeMs < oldestMs) return null
  return recordHas.time(fields, nowMs) ? null : time.timeMs
}
