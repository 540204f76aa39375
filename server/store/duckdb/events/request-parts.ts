import { type CellPart, countCells, type SelectSketch } from '../../common/metrics/add-cells.ts'
import { addRequests } from '../../common/metrics/add-requests.ts'
import { divideAtGrains, divideAtPeriods } from '../../common/metrics/divide-at-grains.ts'
import { withMinuteCells } from '../../common/metrics/minute-cells.ts'
import type { CellKey } from '../../common/metrics/request-cells.ts'
import { overlaps, type TimesUs, timesOf } from '../../common/metrics/times.ts'
import { countEvents } from '../../common/metrics/visit-blocks.ts'
import { ofServices } from '../../common/of-services.ts'
import { selectsService } from '../../common/selects-service.ts'
import { type Sql, sql } from '../../common/sql.ts'
import type { RequestFilter } from '../../event-store.ts'
import { dayPartUs, type SummaryCells } from '../engine/request-summary.ts'
import { type Grouping, isRequestEvent } from '../sql/duration-lists.ts'
import type { Source } from '../sql/source.ts'
import { eventsOfParts, readBlocks } from './event-parts.ts'

/**
 * The requests in a window. For periods that consist of whole cells, they come from summaries if possible. The other
 * requests come from events, which are read from memory if possible.
 */
export type RequestParts = {
  /** Adds the requests in memory to sketches. May call `select` several times with equal keys. */
  addTo(select: SelectSketch): Promise<void>
  /** Counts the requests in memory by key. Several elements may have equal keys. */
  count(): Promise<(readonly [CellKey, number])[]>
  /** The table of the requests that are not in memory; `null` if there are none. */
  events: Sql | null
}

export async function requestParts(
  source: Source,
  { window, ...services }: RequestFilter,
  { bucketUs, grouping }: { bucketUs: number; grouping: Grouping },
): Promise<RequestParts> {
  const times = timesOf(window)
  const { whole, remaining } = divideAtGrains(times, bucketUs)
  const segments = source.segments.overlapping(window)
  const covered = segments.filter(segment => whole.some(part => overlaps(segment, part)))
  const all = await source.requestSummaries(covered)
  const summaries = grouping === 'route' ? all.filter(({ hasRoutes }) => hasRoutes) : all

  const summarisedTo = new Map(summaries.map(({ segment, lastId }) => [segment, lastId]))
  const rest = segments.flatMap(segment => {
    const lastId = summarisedTo.get(segment)
    if (lastId === undefined) return { segment, times: [times] }
    const newer = { segment, times: whole, afterId: lastId }
    return [{ segment, times: remaining }, ...(segment.lastId > lastId ? [newer] : [])]
  })
  const { blocks, others } = await readBlocks(source, rest, { onlyFailures: false })
  const events = eventsOfParts(source, others, { onlyFailures: false })
  const cells = summaries
    .flatMap(({ cells }) => cells)
    .flatMap(cells =>
      grouping === 'route' ? routeCells(cells, whole) : [{ cells: cells.byService, times: whole }],
    )
  const isListed = ({ service }: CellKey) =>
    selectsService(services, service) && (source.services?.has(service) ?? true)
  return {
    async addTo(select) {
      const selectListed: SelectSketch = key => (isListed(key) ? select(key) : null)
      const buckets = { fromUs: times.fromUs, bucketUs }
      if (grouping === 'route') return addRequests(cells, blocks, buckets, selectListed)
      const minutes = await withMinuteCells(blocks, buckets)
      await addRequests([...cells, ...minutes.cells], minutes.events, buckets, selectListed)
    },
    async count() {
      const inBlocks = await countEvents(blocks)
      return [
        ...(await countCells(cells, isListed)),
        ...inBlocks.filter(([group]) => group.isRequest && isListed(group)),
      ]
    },
    events: events && sql`(FROM ${events} WHERE ${isRequestEvent} AND ${ofServices(services)})`,
  }
}

/** Uses the larger cells where they fit into the window. */
function routeCells({ byDayPart, byRoute }: SummaryCells, whole: readonly TimesUs[]): CellPart[] {
  if (byDayPart === null || byRoute === null) return []
  const { whole: large, others: small } = divideAtPeriods(whole, dayPartUs)
  return [
    { cells: byDayPart, times: large },
    { cells: byRoute, times: small },
  ]
}
