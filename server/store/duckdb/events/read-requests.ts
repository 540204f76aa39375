import { microsOf } from '../../common/time.ts'
import type { RequestFilter } from '../../event-store.ts'
import { readCells } from '../engine/read-cells.ts'
import { cellsOf, type RequestCell } from '../engine/request-cells.ts'
import { durationLists, type Grouping } from '../sql/duration-lists.ts'
import type { Source } from '../sql/source.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { lengthUs, timesOf } from './cut-times.ts'
import { requestParts } from './request-parts.ts'
import { visitCells } from './visit-cells.ts'

/**
 * Visits the requests of a window, in groups that belong to one bucket.
 * @param options.bucketMs `null` if the window is one bucket
 * @param options.listed condition on events; cells may contain others
 */
export async function visitRequests(
  source: Source,
  filter: RequestFilter,
  options: { bucketMs: number | null; grouping: Exclude<Grouping, 'route'>; listed: Sql },
  visit: (cell: RequestCell, bucket: number) => void,
): Promise<void> {
  const { bucketMs, grouping, listed } = options
  const times = timesOf(filter.window)
  const { fromUs } = times
  const bucketUs = bucketMs === null ? lengthUs(times) : microsOf(bucketMs)
  const visitInBucket = (cell: RequestCell) => visit(cell, Math.floor((cell.fromUs - fromUs) / bucketUs))

  const { cells, events } = await requestParts(source, filter, { bucketUs, grouping })
  await visitCells(cells, visitInBucket)
  if (events === null) return
  const bucketFromUs = sql`(time_us - ${fromUs}) // ${bucketUs} * ${bucketUs} + ${fromUs}`
  const lists = durationLists(sql`(FROM ${events} WHERE ${listed})`, bucketFromUs, grouping)
  await visitCells([cellsOf(await readCells(await source.read(lists)))], visitInBucket)
}
