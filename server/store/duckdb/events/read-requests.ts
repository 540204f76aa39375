import type { RequestSketch } from '../../common/request-sketch.ts'
import { sql } from '../../common/sql.ts'
import { microsOf } from '../../common/time.ts'
import type { RequestFilter } from '../../event-store.ts'
import { readCells } from '../engine/read-cells.ts'
import type { CellKey } from '../engine/request-cells.ts'
import { bucketFinder, lengthUs, timesOf } from '../engine/times.ts'
import { durationLists, type Grouping } from '../sql/duration-lists.ts'
import type { Source } from '../sql/source.ts'
import { addCells, allTimes, type SelectSketch } from './add-cells.ts'
import { requestParts } from './request-parts.ts'

/**
 * Adds the requests in a window to sketches.
 * @param options.bucketMs `null` if the window is one bucket
 * @param select returns a function that finds the sketch of a bucket for requests with this key, or `null` to skip these
 * requests. May use only the service in the key, and no part of the key if `grouping` is `none`
 */
export async function visitRequests(
  source: Source,
  filter: RequestFilter,
  { bucketMs, grouping }: { bucketMs: number | null; grouping: Exclude<Grouping, 'route'> },
  select: (key: CellKey) => ((bucket: number) => RequestSketch | undefined) | null,
): Promise<void> {
  const times = timesOf(filter.window)
  const { fromUs } = times
  const bucketUs = bucketMs === null ? lengthUs(times) : microsOf(bucketMs)
  const bucketAt = bucketFinder(times, bucketUs)
  const selectAt: SelectSketch = key => {
    const sketchOf = select(key)
    return sketchOf && (timeUs => sketchOf(bucketAt(timeUs)))
  }
  const parts = await requestParts(source, filter, { bucketUs, grouping })
  await parts.addTo(selectAt)
  if (parts.events === null) return
  const bucketFromUs = sql`(time_us - ${fromUs}) // ${bucketUs} * ${bucketUs} + ${fromUs}`
  const lists = await source.read(durationLists(parts.events, bucketFromUs, grouping))
  await addCells([{ cells: await readCells(lists), times: allTimes }], selectAt)
}
