import type { IdRange } from '../../common/accepted-hour.ts'
import { grainUs, overlaps, type TimesUs } from '../../common/metrics/times.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import { eventsBetween } from '../sql/source.ts'
import type { Segment } from './segments.ts'

/** About a month of blocks. A segment can have more blocks, because events with wrong times can make it span decades. */
export const maxBlocks = 1500

/** The start time of each block that the segment may have in these time ranges; at most `maxBlocks + 1` of them. */
export function blockStarts(segment: Segment, times: readonly TimesUs[]): number[] {
  const starts = new Set<number>()
  for (const range of times.filter(range => overlaps(segment, range))) {
    const toUs = Math.min(range.toUs, segment.toUs + 1)
    const firstUs = Math.floor(Math.max(range.fromUs, segment.fromUs) / grainUs) * grainUs
    for (let fromUs = firstUs; fromUs < toUs && starts.size <= maxBlocks; fromUs += grainUs)
      starts.add(fromUs)
  }
  return [...starts]
}

/** The start time of each block that the segment may have; at most `maxBlocks + 1` of them. */
export function allBlockStarts(segment: Segment): number[] {
  return blockStarts(segment, [{ fromUs: segment.fromUs, toUs: segment.toUs + 1 }])
}

/** The number of events per block, assuming an even distribution. */
export function averageBlockEvents({ events, fromUs, toUs }: Segment): number {
  return events * Math.min(grainUs / (toUs - fromUs + 1), 1)
}

/** A subquery for the events of the blocks that start at `starts`. */
export function eventsOfBlocks(
  segment: Segment,
  { afterId, upToId }: IdRange,
  starts: readonly number[],
  onlyFailures: boolean,
): Sql {
  const times = blockTimes(starts).map(
    ({ fromUs, toUs }) => sql`(time_us >= ${fromUs} AND time_us < ${toUs})`,
  )
  const isIncluded = onlyFailures ? sql`fingerprint IS NOT NULL` : sql`true`
  return sql`(FROM ${eventsBetween(segment, afterId, upToId)} WHERE (${join(times, ' OR ')}) AND ${isIncluded})`
}

/** Merges the time ranges of adjacent blocks. */
function blockTimes(starts: readonly number[]): TimesUs[] {
  const times: TimesUs[] = []
  for (const fromUs of starts.toSorted((a, b) => a - b)) {
    const last = times.at(-1)
    if (last?.toUs === fromUs) last.toUs += grainUs
    else times.push({ fromUs, toUs: fromUs + grainUs })
  }
  return times
}
