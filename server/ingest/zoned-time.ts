import { textTimeOf } from '../../shared/text-time.ts'
import { recordHas } from '../events/normalise.ts'
import type { ParsedLine } from './parse-line.ts'

/**
 * Returns the time at the start of a line, or `null` if the line's fields or prefix contain a time. Ignores a time
 * without a zone, because only the sender knows the zone. Ignores a time older than the retention period, because text that
 * only looks like a time must not cause the line to be rejected.
 */
export function zonedTimeOf({ fields, head }: ParsedLine, nowMs: number, oldestMs: number): number | null {
  const time = head === null ? null : textTimeOf(head, nowMs)
  if (time === null || !time.hasZone || time.timeMs < oldestMs) return null
  return recordHas.time(fields, nowMs) ? null : time.timeMs
}
