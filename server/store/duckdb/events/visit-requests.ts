import { addCells, allTimes, type SelectSketch } from '../../common/metrics/add-cells.ts'
import type { EventReader } from '../../common/metrics/event-reader.ts'
import { bucketFinder, bucketsOf } from '../../common/metrics/times.ts'
import { sql } from '../../common/sql.ts'
import { readCells } from '../engine/read-cells.ts'
import { durationLists } from '../sql/duration-lists.ts'
import type { Source } from '../sql/source.ts'
import { requestParts } from './request-parts.ts'

/** See `EventReader`. */
export async function visitRequests(
  source: Source,
  ...[filter, { bucketMs, grouping }, select]: Parameters<EventReader['visitRequests']>
): Promise<void> {
  const buckets = bucketsOf(filter.window, bucketMs)
  const { fromUs, bucketUs } = buckets
  const bucketAt = bucketFinder(buckets)
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
