import { answered, durationLists, type Grouping } from '../sql/duration-lists.ts'
import { eventsBetween } from '../sql/source.ts'
import { sql } from '../sql/sql.ts'
import type { ReadResult } from './connections.ts'
import { createMutex } from './mutex.ts'
import { readCells } from './read-cells.ts'
import { mergeCells, type RequestCells } from './request-cells.ts'
import { dayPartUs, grainUs, type RequestSummary, type SummaryCells } from './request-summary.ts'
import type { Segment } from './segments.ts'
import { partKey } from './summaries.ts'

/** Summaries of the requests of segments: see `Source.requestSummaries`. */
export type RequestSummaries = {
  /** `active` is the active segment. */
  read(segments: readonly Segment[], active: Segment): Promise<RequestSummary[]>
  /** Frees the summaries of segments that were deleted or changed. */
  prune(segments: readonly Segment[]): void
}

/** Limit on unsummarised events that a query reads from the active segment. */
const maxUnsummarised = 10_000

/** A segment with more cells, for example because its routes contain ids, is summarised by service only. */
const maxCells = 100_000

type Part = {
  events: number
  lastId: number
  hasRoutes: boolean
  cells: SummaryCells[]
  withLock: ReturnType<typeof createMutex>
}

function emptyPart(): Part {
  return { events: 0, lastId: -1, hasRoutes: true, cells: [], withLock: createMutex() }
}

/**
 * Counts the requests of each segment once, in memory. Unlike the summaries in tables, these are arrays outside the
 * engine, because this process adds up a million counts in a few milliseconds.
 */
export function createRequestSummaries(readResult: ReadResult): RequestSummaries {
  const parts = new Map<string, Part>()

  /** Other queries wait for this one, so it cannot be aborted. */
  const readAfter = (segment: Segment, afterId: number, lastId: number, grouping: Grouping) => {
    const requests = sql`(FROM ${eventsBetween(segment, afterId, lastId)} WHERE ${answered})`
    return readResult(durationLists(requests, sql`time_us // ${grainUs} * ${grainUs}`, grouping))
  }

  const extend = async (part: Part, segment: Segment, lastId: number) => {
    if (part.hasRoutes) {
      const result = await readAfter(segment, part.lastId, lastId, 'route')
      const count = part.cells.reduce((sum, { byRoute }) => sum + (byRoute?.end.length ?? 0), 0)
      if (count + result.currentRowCount <= maxCells) {
        part.cells.push(await withRoutes(await readCells(result)))
        return
      }
      Object.assign(part, { hasRoutes: false, lastId: -1, cells: [] })
    }
    const byService = await readCells(await readAfter(segment, part.lastId, lastId, 'service'))
    part.cells.push({ byService, byRoute: null, byDayPart: null })
  }

  const summarise = (segment: Segment, isActive: boolean): Promise<RequestSummary> => {
    const key = partKey(segment, isActive)
    const part = parts.get(key) ?? emptyPart()
    parts.set(key, part)
    return part.withLock(async () => {
      const { events, lastId } = segment
      if (isActive ? events - part.events >= maxUnsummarised : lastId > part.lastId) {
        await extend(part, segment, lastId)
        Object.assign(part, { events, lastId })
      }
      return { segment, lastId: part.lastId, hasRoutes: part.hasRoutes, cells: [...part.cells] }
    })
  }

  return {
    async read(segments, active) {
      const summaries: RequestSummary[] = []
      for (const segment of segments) summaries.push(await summarise(segment, segment === active))
      return summaries
    },
    prune(segments) {
      const current = new Set(segments.map(segment => partKey(segment, segment === segments.at(-1))))
      for (const key of parts.keys()) if (!current.has(key)) parts.delete(key)
    },
  }
}

async function withRoutes(byRoute: RequestCells): Promise<SummaryCells> {
  return {
    byService: await mergeCells(
      byRoute,
      fromUs => fromUs,
      ({ service }) => ({ service, method: null, route: null }),
    ),
    byRoute,
    byDayPart: await mergeCells(
      byRoute,
      fromUs => Math.floor(fromUs / dayPartUs) * dayPartUs,
      key => key,
    ),
  }
}
