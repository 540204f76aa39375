import { createTimeSlice } from '../../../time-slice.ts'
import { microsOf } from '../../common/time.ts'
import type { RequestFilter } from '../../event-store.ts'
import { readCells } from '../engine/read-cells.ts'
import { cellsOf, type RequestCell } from '../engine/request-cells.ts'
import { dayPartUs, grainUs, type SummaryCells } from '../engine/request-summary.ts'
import { answered, durationLists, type Grouping } from '../sql/duration-lists.ts'
import type { Source } from '../sql/source.ts'
import { join, sql } from '../sql/sql.ts'
import { divideAtGrains, type TimesUs } from './cut-times.ts'
import { eventsDuring, overlaps } from './events-during.ts'

/**
 * Visits the requests of a window, in groups that belong to one bucket. Reads summaries where they cover whole buckets, and
 * events elsewhere.
 * @param bucketMs `null` if the window is one bucket
 */
export async function visitRequests(
  source: Source,
  { window, service }: RequestFilter,
  { bucketMs, grouping }: { bucketMs: number | null; grouping: Grouping },
  visit: (cell: RequestCell, bucket: number) => void,
): Promise<void> {
  const times = { fromUs: microsOf(window.fromMs), toUs: microsOf(window.toMs) }
  const bucketUs = bucketMs === null ? Math.max(times.toUs - times.fromUs, 1) : microsOf(bucketMs)
  const bucketAt = (us: number) => Math.floor((us - times.fromUs) / bucketUs)
  const { whole, cut } = divideAtGrains(times, bucketUs)

  const segments = source.segments.overlapping(window)
  const covered = segments.filter(segment => whole.some(part => overlaps(segment, part)))
  const all = await source.requestSummaries(covered)
  const summaries = grouping === 'route' ? all.filter(({ hasRoutes }) => hasRoutes) : all
  const slice = createTimeSlice()
  for (const summary of summaries.flatMap(({ cells }) => cells)) {
    if (slice.isUsedUp()) await slice.yieldToOthers()
    for (const cell of grouping === 'route' ? routeCells(summary, whole) : serviceCells(summary, whole)) {
      if (service === null || cell.key.service === service) visit(cell, bucketAt(cell.fromUs))
    }
  }

  const summarisedTo = new Map(summaries.map(({ segment, lastId }) => [segment, lastId]))
  const rest = segments.flatMap(segment => {
    const lastId = summarisedTo.get(segment)
    if (lastId === undefined) return eventsDuring(segment, [times])
    return [
      ...eventsDuring(segment, cut),
      ...(segment.lastId > lastId ? eventsDuring(segment, whole, lastId) : []),
    ]
  })
  if (rest.length === 0) return
  const ofService = service === null ? sql`true` : sql`service = ${service}`
  const requests = sql`(SELECT * FROM (${join(rest, ' UNION ALL ')}) WHERE ${answered} AND ${ofService})`
  const bucketFromUs = sql`(time_us - ${times.fromUs}) // ${bucketUs} * ${bucketUs} + ${times.fromUs}`
  const cells = await readCells(await source.read(durationLists(requests, bucketFromUs, grouping)))
  for (const cell of cellsOf(cells)) visit(cell, bucketAt(cell.fromUs))
}

function serviceCells({ byService }: SummaryCells, whole: readonly TimesUs[]): Iterable<RequestCell> {
  return cellsOf(byService, fromUs => contains(whole, fromUs, grainUs))
}

/** Uses the larger cells where they fit into the window. */
function* routeCells(
  { byDayPart, byRoute }: SummaryCells,
  whole: readonly TimesUs[],
): Generator<RequestCell> {
  if (byDayPart === null || byRoute === null) return
  const isLarge = (fromUs: number) => contains(whole, Math.floor(fromUs / dayPartUs) * dayPartUs, dayPartUs)
  yield* cellsOf(byDayPart, isLarge)
  yield* cellsOf(byRoute, fromUs => contains(whole, fromUs, grainUs) && !isLarge(fromUs))
}

function contains(whole: readonly TimesUs[], fromUs: number, lengthUs: number): boolean {
  return whole.some(range => fromUs >= range.fromUs && fromUs + lengthUs <= range.toUs)
}
