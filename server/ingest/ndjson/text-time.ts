import { textTimeField } from '../../../shared/text-time.ts'
import { readTime } from '../../events/read-record.ts'

/**
 * Replaces the time of arrival by the time that the `sixpane` command found in the text of a line. An implausible time or
 * one older than the retention is ignored: it may be no time at all, and the line must not be lost.
 */
export function withTextTime(record: object, nowMs: number, oldestMs: number): object {
  if (!Object.hasOwn(record, textTimeField)) return record
  const { [textTimeField]: textTime, ...rest }: Record<string, unknown> = { ...record }
  const timeMs = typeof textTime === 'number' ? readTime(textTime, nowMs) : null
  return timeMs === null || timeMs < oldestMs ? rest : { ...rest, time: timeMs }
}
