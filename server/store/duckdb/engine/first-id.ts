import { idAt } from '../../common/time.ts'

/** Ids for later times could exceed the largest safe integer, and the 16 digits in segment file names. */
const maxMs = Date.UTC(2089, 0, 1)

/** The smallest id for events that are accepted at this time. If the clock is too far ahead, ids only count up. */
export function firstIdAt(nowMs: number): number {
  return idAt(Math.min(nowMs, maxMs))
}
