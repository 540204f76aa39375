import type { RequestFilter } from '../../event-store.ts'
import type { EventGroup } from '../engine/event-block.ts'
import { type CellKey, cellsOf, type RequestCell } from '../engine/request-cells.ts'
import { dayPartUs, grainUs, type SummaryCells } from '../engine/request-summary.ts'
import { overlaps, type TimesUs, timesOf } from '../engine/times.ts'
import { answered, type Grouping } from '../sql/duration-lists.ts'
import type { Source } from '../sql/source.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { divideAtGrains } from './cut-times.ts'
import { eventParts } from './event-parts.ts'
import { countEvents, type VisitEvent, visitBlocks } from './visit-blocks.ts'

/** The requests of a window: from summaries where they cover whole buckets, and elsewhere from events, if possible in memory. */
export type RequestParts = {
  /** Each element iterates over the requests in a part of a summary. */
  cells: readonly Iterable<RequestCell>[]
  /** Visits the requests in memory: see `visitBlocks`. */
  visitBlocks(select: (group: EventGroup) => VisitEvent | null): Promise<void>
  /** Counts the requests in memory. */
  countInBlocks(): Promise<(readonly [CellKey, number])[]>
  /** The table of the other requests; `null` if there are none. */
  events: Sql | null
}

export async function requestParts(
  source: Source,
  { window, service }: RequestFilter,
  { bucketUs, grouping }: { bucketUs: number; grouping: Grouping },
): Promise<RequestParts> {
  const times = timesOf(window)
  const { whole, cut } = divideAtGrains(times, bucketUs)
  const segments = source.segments.overlapping(window)
  const covered = segments.filter(segment => whole.some(part => overlaps(segment, part)))
  const all = await source.requestSummaries(covered)
  const summaries = grouping === 'route' ? all.filter(({ hasRoutes }) => hasRoutes) : all

  const summarisedTo = new Map(summaries.map(({ segment, lastId }) => [segment, lastId]))
  const rest = segments.flatMap(segment => {
    const lastId = summarisedTo.get(segment)
    if (lastId === undefined) return { segment, times: [times] }
    const newer = { segment, times: whole, afterId: lastId }
    return [{ segment, times: cut }, ...(segment.lastId > lastId ? [newer] : [])]
  })
  const { blocks, events } = await eventParts(source, rest, { onlyFailures: false })
  const isListed = (group: EventGroup) => group.isRequest && (service === null || group.service === service)
  const ofService = service === null ? sql`true` : sql`service = ${service}`
  return {
    cells: summaries
      .flatMap(({ cells }) => cells)
      .flatMap(cells => (grouping === 'route' ? routeCells(cells, whole) : [serviceCells(cells, whole)]))
      .map(cells => (service === null ? cells : ofServiceOnly(cells, service))),
    visitBlocks: select => visitBlocks(blocks, group => (isListed(group) ? select(group) : null)),
    countInBlocks: async () => [...(await countEvents(blocks))].filter(([group]) => isListed(group)),
    events: events && sql`(FROM ${events} WHERE ${answered} AND ${ofService})`,
  }
}

function serviceCells({ byService }: SummaryCells, whole: readonly TimesUs[]): Iterable<RequestCell> {
  return { [Symbol.iterator]: () => cellsOf(byService, fromUs => contains(whole, fromUs, grainUs)) }
}

/** Uses the larger cells where they fit into the window. */
function routeCells(
  { byDayPart, byRoute }: SummaryCells,
  whole: readonly TimesUs[],
): Iterable<RequestCell>[] {
  if (byDayPart === null || byRoute === null) return []
  const isLarge = (fromUs: number) => contains(whole, Math.floor(fromUs / dayPartUs) * dayPartUs, dayPartUs)
  const isSmall = (fromUs: number) => contains(whole, fromUs, grainUs) && !isLarge(fromUs)
  return [
    { [Symbol.iterator]: () => cellsOf(byDayPart, isLarge) },
    { [Symbol.iterator]: () => cellsOf(byRoute, isSmall) },
  ]
}

function ofServiceOnly(cells: Iterable<RequestCell>, service: string): Iterable<RequestCell> {
  return {
    *[Symbol.iterator]() {
      for (const cell of cells) if (cell.key.service === service) yield cell
    },
  }
}

function contains(whole: readonly TimesUs[], fromUs: number, lengthUs: number): boolean {
  return whole.some(range => fromUs >= range.fromUs && fromUs + lengthUs <= range.toUs)
}
