import { addCells, allTimes, type SelectSketch } from '../../common/metrics/add-cells.ts'
import type { EventReader } from '../../common/metrics/event-reader.ts'
import { bucketFinder, lengthUs, timesOf } from '../../common/metrics/times.ts'
import { sql } from '../../common/sql.ts'
import { microsOf } from '../../common/time.ts'
import { readCells } from '../engine/read-cells.ts'
import { durationLists } from '../sql/duration-lists.ts'
import type { Source } from '../sql/source.ts'
import { requestParts } from './request-parts.ts'

/** See `EventReader`. */
export async function visitRequests(
  source: Source,
  ...[filter, { bucketMs, grouping }, select]: Parameters<EventReader['visitRequests']>
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
