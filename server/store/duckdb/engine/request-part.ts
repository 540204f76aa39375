import { mergeCells, type RequestCells } from '../../common/metrics/request-cells.ts'
import { grainUs } from '../../common/metrics/times.ts'
import { number } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import { countLists, durationLists, type Grouping, isRequestEvent } from '../sql/duration-lists.ts'
import { floorTo } from '../sql/floor-to.ts'
import { eventsBetween } from '../sql/source.ts'
import type { ReadResult } from './connections.ts'
import { unpackRequests } from './pack-requests.ts'
import { readCells } from './read-cells.ts'
import { dayPartUs, type SummaryCells } from './request-summary.ts'
import type { Segment } from './segments.ts'
import { readStoredSummary } from './stored-summaries.ts'

/** A segment with more cells, for example because routes contain ids, is summarised by service only, or not at all. */
const maxCells = 100_000

/** The summary of a segment's requests up to an id. */
export type RequestPart = {
  readonly events: number
  readonly lastId: number
  /** `null` if there are too many services. */
  readonly grouping: 'route' | 'service' | null
  readonly cells: readonly SummaryCells[]
}

export const emptyPart: RequestPart = { events: 0, lastId: -1, grouping: 'route', cells: [] }

/**
 * Adds the remaining events of a segment. Counts cells before it reads them, because a million cells would need too much
 * memory.
 */
export async function extendPart(
  readResult: ReadResult,
  part: RequestPart,
  segment: Segment,
): Promise<RequestPart> {
  const { events, lastId } = segment
  const { grouping, cells } = part
  if (grouping === null) return { ...part, events, lastId }
  const stored = part === emptyPart ? await readStoredSummary(readResult, segment, 'requests') : undefined
  if (stored !== undefined) return { events, lastId, ...(await unpackRequests(stored)) }
  // Other queries wait for this one, so it cannot be aborted.
  const requests = sql`(FROM ${eventsBetween(segment, part.lastId, lastId)} WHERE ${isRequestEvent})`
  const fromUs = floorTo(sql`time_us`, grainUs)
  const count = await readResult(countLists(requests, fromUs, grouping, maxCells + 1))
  if (cellCount(cells) + number(count.value(0, 0)) > maxCells) {
    const coarser = grouping === 'route' ? 'service' : null
    return extendPart(readResult, { ...emptyPart, grouping: coarser }, segment)
  }
  const added = await readCells(await readResult(durationLists(requests, fromUs, grouping)))
  return { ...part, events, lastId, cells: [...cells, await summaryCells(added, grouping)] }
}

function cellCount(cells: readonly SummaryCells[]): number {
  return cells.reduce((sum, { byRoute, byService }) => sum + (byRoute ?? byService).end.length, 0)
}

async function summaryCells(cells: RequestCells, grouping: Grouping): Promise<SummaryCells> {
  if (grouping === 'service') return { byService: cells, byRoute: null, byDayPart: null }
  return {
    byService: await mergeCells(
      cells,
      fromUs => fromUs,
      ({ service }) => ({ service, method: null, route: null }),
    ),
    byRoute: cells,
    byDayPart: await mergeCells(
      cells,
      fromUs => Math.floor(fromUs / dayPartUs) * dayPartUs,
      key => key,
    ),
  }
}

/** Approximate size of a key's objects and strings. */
const keyBytes = 300

/** Approximate memory usage of a part. */
export function bytesOf({ cells }: RequestPart): number {
  const all = cells.flatMap(({ byService, byRoute, byDayPart }) => [byService, byRoute, byDayPart])
  return all.reduce((sum, each) => (each === null ? sum : sum + cellBytes(each)), 1)
}

function cellBytes({ keys, key, fromUs, errors, requests, end, bins, counts }: RequestCells): number {
  const arrays = [key, fromUs, errors, requests, end, bins, counts]
  return arrays.reduce((sum, { byteLength }) => sum + byteLength, keys.length * keyBytes)
}
