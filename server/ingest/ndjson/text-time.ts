import { readTime } from '../../../shared/read-time.ts'
import { textTimeField } from '../../../shared/text-time.ts'

/**
 * Replaces `time`, the time at which the `sixpane` command received a line, with the time that the command found in the
 * line's text. Ignores a time that is implausible or older than the retention period, because the text may not be a time,
 * and the line must not be rejected.
 */
export function withTextTime(record: object, nowMs: number, oldestMs: number): object {
  if (!Object.hasOwn(record, textTimeField)) return record
  const { [textTimeField]: textTime, ...rest }: Record<string, unknown> = { ...record }
  const timeMs = typeof textTime === 'number' ? readTime(textTime, nowMs) : null
  return timeMs === null || timeMs < oldestMs ? rest : { ...rest, time: timeMs }
}
