import type { EventRow } from '../../../shared/event.ts'
import type { Window } from '../../../shared/range.ts'

/** Shorter pauses are no news. */
const leastMs = 60_000
/** Nor is what is short beside the time that is shown. */
const leastShare = 0.05

type Timed = Pick<EventRow, 'timeMs'>

/** How long nothing matched between a row and the one below it, or `null` where that is not worth a word. */
export function gapBelow(above: Timed, below: Timed | undefined, { fromMs, toMs }: Window): number | null {
  if (below === undefined) return null
  const gapMs = above.timeMs - below.timeMs
  return gapMs >= Math.max(leastMs, (toMs - fromMs) * leastShare) ? gapMs : null
}
