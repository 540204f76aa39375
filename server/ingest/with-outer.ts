import type { Attributes, Json } from '../../shared/event.ts'
import { timeNames } from '../../shared/field-names.ts'
import { readTime } from '../../shared/read-time.ts'

/**
 * Adds the fields that a collector or runtime wrote around a line. The line's fields take precedence. If a field in the line
 * has the same name as the outer time but does not contain a time, the outer time gets another name.
 */
export function withOuter(outer: Attributes, fields: Attributes, nowMs: number): Attributes {
  const merged = { ...outer, ...fields }
  const isTime = (value: Json | undefined) => readTime(value ?? null, nowMs) !== null
  const hidden = timeNames.find(
    // Most names are in neither record, and this test is faster than reading a time.
    name =>
      Object.hasOwn(outer, name) &&
      Object.hasOwn(fields, name) &&
      isTime(outer[name]) &&
      !isTime(fields[name]),
  )
  if (hidden === undefined) return merged
  const free = timeNames.find(name => !Object.hasOwn(merged, name))
  return free === undefined ? merged : { ...merged, [free]: outer[hidden] ?? null }
}
