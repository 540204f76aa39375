import type { EventChunk } from './event-block.ts'
import type { TimesUs } from './times.ts'

const bounds = new WeakMap<EventChunk<unknown>, TimesUs | null>()

/**
 * Returns the times of the first and the last entry of a chunk; `null` if it has no entries.
 * @param fromUs the start of the block
 */
export function boundsOf(chunk: EventChunk<unknown>, fromUs: number): TimesUs | null {
  const existing = bounds.get(chunk)
  if (existing !== undefined) return existing
  const { offsetUs } = chunk
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const offset of offsetUs) {
    if (offset < first) first = offset
    if (offset > last) last = offset
  }
  const found = offsetUs.length === 0 ? null : { fromUs: fromUs + first, toUs: fromUs + last }
  bounds.set(chunk, found)
  return found
}
