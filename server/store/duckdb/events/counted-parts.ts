import type { Window } from '../../../../shared/range.ts'
import { divideAtGrains } from '../../common/metrics/divide-at-grains.ts'
import { timesOf } from '../../common/metrics/times.ts'
import type { TimedBlocks } from '../../common/metrics/visit-blocks.ts'
import type { Sql } from '../../common/sql.ts'
import type { Source } from '../sql/source.ts'
import { type EventPart, eventsOfParts, readBlocks } from './event-parts.ts'

/**
 * Reads the events in a window for a query that only counts them. If a segment has many events in the window, reads
 * the whole grains (see `divideAtGrains`) as counts, so the cost depends on the number of groups instead of the number
 * of events.
 * @param options.bucketUs the length of a bucket. Each count includes events from only one bucket
 * @returns the blocks in memory, and the table of the other events, or `null` if there are none
 */
export async function countedParts(
  source: Source,
  window: Window,
  { bucketUs, onlyFailures }: { bucketUs: number; onlyFailures: boolean },
): Promise<{ blocks: TimedBlocks[]; events: Sql | null }> {
  const times = timesOf(window)
  const segments = source.segments.overlapping(window)
  const { blocks, others: large } = await readBlocks(
    source,
    segments.map(segment => ({ segment, times: [times] })),
    { onlyFailures },
  )
  const { whole, remaining } = divideAtGrains(times, bucketUs)
  if (whole.length === 0) return { blocks, events: eventsOfParts(source, large, { onlyFailures }) }
  const rest: EventPart[] = []
  const uncounted: EventPart[] = []
  for (const part of large) {
    const subset = { afterId: -1, onlyFailures, isCounted: true }
    const counted = await source.eventBlocks(part.segment, whole, subset, Number.POSITIVE_INFINITY)
    if (counted === null) uncounted.push(part)
    else {
      blocks.push({ blocks: counted, times: whole, services: source.services })
      rest.push({ segment: part.segment, times: remaining })
    }
  }
  const ends = await readBlocks(source, rest, { onlyFailures })
  return {
    blocks: [...blocks, ...ends.blocks],
    events: eventsOfParts(source, [...uncounted, ...ends.others], { onlyFailures }),
  }
}
