import { dayMs } from '../../../../shared/duration-units.ts'
import type { LogEvent } from '../../../../shared/event.ts'
import type { Window } from '../../../../shared/range.ts'
import { timesOf } from '../../common/metrics/times.ts'
import type { Sql } from '../../common/sql.ts'
import { microsOf } from '../../common/time.ts'
import { maxSamples, type Samples } from '../engine/samples.ts'
import type { Source } from '../sql/source.ts'

/** Longer windows would need too many queries. */
const maxDays = 32

/** Called with the series of a sample, its bucket and its value. */
export type VisitSample = (key: string, bucket: number, value: number) => void

/**
 * Visits the samples of a window. Reads whole days, so that different windows share cached results, and a new event changes
 * only the result for its day.
 * @param select returns a table of a day's samples: see `readSamples`
 * @param hasSample whether a new event has a sample
 * @returns `false`, without visiting any samples, if there are too many
 */
export async function visitSamples(
  { samplesCached }: Source,
  window: Window,
  bucketMs: number,
  { select, hasSample }: { select: (day: Window) => Promise<Sql>; hasSample: (event: LogEvent) => boolean },
  visit: VisitSample,
): Promise<boolean> {
  const days = daysOf(window)
  if (days === null) return false
  const read = await Promise.all(
    days.map(async day =>
      samplesCached(
        await select(day),
        event => event.timeMs >= day.fromMs && event.timeMs < day.toMs && hasSample(event),
      ),
    ),
  )
  const samples = read.flatMap(ofDay => ofDay ?? [])
  if (samples.length < read.length || samples.reduce((sum, ofDay) => sum + countOf(ofDay), 0) > maxSamples)
    return false
  for (const ofDay of samples) visitDay(ofDay, window, bucketMs, visit)
  return true
}

/** Returns the days that overlap a window, or `null` if there are too many. */
function daysOf({ fromMs, toMs }: Window): Window[] | null {
  const first = Math.floor(fromMs / dayMs)
  const count = Math.ceil(toMs / dayMs) - first
  if (count > maxDays) return null
  return Array.from({ length: count }, (_, index) => ({
    fromMs: (first + index) * dayMs,
    toMs: (first + index + 1) * dayMs,
  }))
}

function countOf(samples: Samples): number {
  let count = 0
  for (const { timeUs } of samples.values()) count += timeUs.length
  return count
}

function visitDay(samples: Samples, window: Window, bucketMs: number, visit: VisitSample): void {
  const { fromUs, toUs } = timesOf(window)
  const bucketUs = microsOf(bucketMs)
  for (const [key, { timeUs, value }] of samples) {
    for (let index = 0; index < timeUs.length; index += 1) {
      const atUs = timeUs[index] ?? 0
      if (atUs >= fromUs && atUs < toUs) visit(key, Math.floor((atUs - fromUs) / bucketUs), value[index] ?? 0)
    }
  }
}
