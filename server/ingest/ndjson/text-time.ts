import { timeNames } from '../../../shared/field-names.ts'
import { readTime } from '../../../shared/read-time.ts'
import { textTimeField } from '../../../shared/text-time.ts'

/**
 * Replaces the time at which the `sixpane` command received a line with the time that the command found in the line's text.
 * Ignores a time that is implausible or older than the retention period, because the text may not be a time and must not
 * cause the line to be rejected. The line's own time fields remain if their values are not times.
 */
export function withTextTime(record: object, nowMs: number, oldestMs: number): object {
  if (!Object.hasOwn(record, textTimeField)) return record
  const { [textTimeField]: textTime, ...rest }: Record<string, unknown> = { ...record }
  const timeOf = (value: unknown) => (typeof value === 'number' ? readTime(value, nowMs) : null)
  const timeMs = timeOf(textTime)
  if (timeMs === null || timeMs < oldestMs) return rest
  const received = timeNames.find(name => timeOf(rest[name]) !== null)
  return { ...rest, [received ?? timeNames.find(name => !Object.hasOwn(rest, name)) ?? 'time']: timeMs }
}
