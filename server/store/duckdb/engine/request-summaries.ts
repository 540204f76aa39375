import { answered, durationLists } from '../sql/duration-lists.ts'
import { eventsBetween } from '../sql/source.ts'
import { sql } from '../sql/sql.ts'
import type { ReadResult } from './connections.ts'
import { createMutex } from './mutex.ts'
import { grainUs, type RequestCells, type RequestSummary, readCells } from './request-cells.ts'
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
  byRoute: boolean
  cells: RequestCells[]
  withLock: ReturnType<typeof createMutex>
}

function emptyPart(): Part {
  return { events: 0, lastId: -1, byRoute: true, cells: [], withLock: createMutex() }
}

/**
 * Counts the requests of each segment once, in memory. Unlike the summaries in tables, these are arrays of the process,
 * which adds up a million counts in a few milliseconds.
 */
export function createRequestSummaries(readResult: ReadResult): RequestSummaries {
  const parts = new Map<string, Part>()

  const summarise = (segment: Segment, isActive: boolean): Promise<RequestSummary> => {
    const key = partKey(segment, isActive)
    const part = parts.get(key) ?? emptyPart()
    parts.set(key, part)
    return part.withLock(async () => {
      const { events, lastId } = segment
      if (isActive ? events - part.events >= maxUnsummarised : lastId > part.lastId) {
        const added = sql`(FROM ${eventsBetween(segment, part.lastId, lastId)} WHERE ${answered})`
        const fromUs = sql`time_us // ${grainUs} * ${grainUs}`
        // Other queries wait for this one, so it cannot be aborted.
        const result = await readResult(durationLists(added, fromUs, part.byRoute))
        if (part.byRoute && countCells(part) + result.currentRowCount > maxCells) {
          Object.assign(part, { ...emptyPart(), byRoute: false, withLock: part.withLock })
          const all = sql`(FROM ${eventsBetween(segment, -1, lastId)} WHERE ${answered})`
          part.cells.push(await readCells(await readResult(durationLists(all, fromUs, false))))
        } else {
          part.cells.push(await readCells(result))
        }
        Object.assign(part, { events, lastId })
      }
      return { segment, lastId: part.lastId, byRoute: part.byRoute, cells: [...part.cells] }
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

function countCells({ cells }: Part): number {
  return cells.reduce((sum, { end }) => sum + end.length, 0)
}
