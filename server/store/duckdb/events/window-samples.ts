import type { LogEvent } from '../../../../shared/event.ts'
import type { Window } from '../../../../shared/range.ts'
import { microsOf } from '../../common/time.ts'
import type { Samples } from '../engine/samples.ts'
import { timesOf } from '../engine/times.ts'
import type { Source } from '../sql/source.ts'
import type { Sql } from '../sql/sql.ts'

const dayMs = 86_400_000

/**
 * Returns the samples of the days that contain the window. Reads whole days, so that different windows share a cached
 * result.
 * @param select returns a table of the samples in a window: see `Samples`
 * @param affectedBy whether a new event has a sample
 * @returns `null` if there are too many samples
 */
export async function samplesAround(
  { samplesCached }: Source,
  { fromMs, toMs }: Window,
  select: (days: Window) => Promise<Sql>,
  affectedBy: (event: LogEvent) => boolean,
): Promise<Samples | null> {
  const days = { fromMs: Math.floor(fromMs / dayMs) * dayMs, toMs: Math.ceil(toMs / dayMs) * dayMs }
  return samplesCached(await select(days), affectedBy)
}

/** Visits the samples of a series in a window, with their buckets. */
export function visitSamples(
  { timeUs, value }: { timeUs: Float64Array; value: Float64Array },
  window: Window,
  bucketMs: number,
  visit: (bucket: number, value: number) => void,
): void {
  const { fromUs, toUs } = timesOf(window)
  for (let index = 0; index < timeUs.length; index += 1) {
    const atUs = timeUs[index] ?? 0
    if (atUs >= toUs) return
    if (atUs >= fromUs) visit(Math.floor((atUs - fromUs) / microsOf(bucketMs)), value[index] ?? 0)
  }
}
