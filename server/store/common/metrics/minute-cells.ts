import { createTimeSlice } from '../../../time-slice.ts'
import { binCount } from '../duration-bins.ts'
import type { CellPart } from './add-cells.ts'
import type { EventBlock, EventChunk, EventGroup } from './event-block.ts'
import { divideAtMinutes, minutesPerGrain, minuteUs } from './minutes.ts'
import { createCellWriter, nonZero, type RequestCells } from './request-cells.ts'
import type { Buckets } from './times.ts'
import type { TimedBlocks } from './visit-blocks.ts'

type RequestGroup = Pick<EventGroup, 'service' | 'isRequest' | 'isError'>

/** Smaller chunks are visited quickly. */
const minEvents = 1000
/** A chunk with more services is not counted, because counting needs 0.2 MB for each. */
const maxServices = 32
/** A chunk whose durations differ so much that there is a bin for this many events is not counted. */
const minEventsPerBin = 2

/** The requests of each chunk; `null` if counting them would not help. */
const counted = new WeakMap<EventChunk<RequestGroup>, RequestCells | null>()

/**
 * Replaces requests in whole minutes with counts by service and duration, which are computed once for each chunk. Charts of
 * an hour or two, whose buckets are shorter than a block, then visit far fewer entries.
 */
export async function withMinuteCells<Group extends RequestGroup>(
  parts: readonly TimedBlocks<Group>[],
  buckets: Buckets,
): Promise<{ cells: CellPart[]; events: TimedBlocks<Group>[] }> {
  const slice = createTimeSlice()
  const cells: CellPart[] = []
  const events: TimedBlocks<Group>[] = []
  for (const part of parts) {
    const { whole, others } = divideAtMinutes(part.times, buckets)
    const [divided, undivided]: [EventBlock<Group>[], EventBlock<Group>[]] = [[], []]
    for (const { fromUs, chunks } of part.blocks) {
      const [inCells, inEvents]: [EventChunk<Group>[], EventChunk<Group>[]] = [[], []]
      for (const chunk of chunks) {
        if (slice.isUsedUp()) await slice.yieldToOthers()
        const ofChunk = whole.length === 0 ? null : minuteCells(chunk, fromUs)
        if (ofChunk !== null) cells.push({ cells: ofChunk, times: whole })
        const into = ofChunk === null ? inEvents : inCells
        into.push(chunk)
      }
      divided.push({ fromUs, chunks: inCells })
      undivided.push({ fromUs, chunks: inEvents })
    }
    events.push({ ...part, blocks: divided, times: others }, { ...part, blocks: undivided })
  }
  return { cells, events }
}

function minuteCells(chunk: EventChunk<RequestGroup>, fromUs: number): RequestCells | null {
  const existing = counted.get(chunk)
  if (existing !== undefined) return existing
  const isCountable = chunk.count === null && chunk.offsetUs.length >= minEvents
  const cells = isCountable ? countMinutes(chunk, fromUs) : null
  counted.set(chunk, cells)
  return cells
}

type Minutes = { requests: Uint32Array; errors: Uint32Array; counts: Uint32Array }

function countMinutes(chunk: EventChunk<RequestGroup>, fromUs: number): RequestCells | null {
  const byService = new Map<string, Minutes>()
  let start = 0
  for (const [position, index] of chunk.group.entries()) {
    const end = chunk.end[position] ?? start
    const group = chunk.groups[index]
    if (group?.isRequest) {
      const minutes = byService.get(group.service) ?? {
        requests: new Uint32Array(minutesPerGrain),
        errors: new Uint32Array(minutesPerGrain),
        counts: new Uint32Array(minutesPerGrain * binCount),
      }
      byService.set(group.service, minutes)
      if (byService.size > maxServices) return null
      addRun(minutes, chunk, start, end, group.isError)
    }
    start = end
  }
  const cells = toCells(byService, fromUs)
  return cells.bins.length * minEventsPerBin > chunk.offsetUs.length ? null : cells
}

function addRun(
  { requests, errors, counts }: Minutes,
  { offsetUs, bin }: Pick<EventChunk, 'offsetUs' | 'bin'>,
  start: number,
  end: number,
  isError: boolean,
): void {
  for (let at = start; at < end; at += 1) {
    const minute = Math.floor((offsetUs[at] ?? 0) / minuteUs)
    const into = minute * binCount + (bin[at] ?? 0)
    counts[into] = (counts[into] ?? 0) + 1
    requests[minute] = (requests[minute] ?? 0) + 1
    if (isError) errors[minute] = (errors[minute] ?? 0) + 1
  }
}

function toCells(byService: ReadonlyMap<string, Minutes>, fromUs: number): RequestCells {
  const keys = Array.from(byService, ([service, minutes]) => ({
    key: { service, method: null, route: null },
    ...minutes,
  }))
  const writer = createCellWriter()
  for (let minute = 0; minute < minutesPerGrain; minute += 1) {
    for (const { key, requests: byMinute, errors, counts } of keys) {
      const requests = byMinute[minute] ?? 0
      if (requests === 0) continue
      const bins = counts.subarray(minute * binCount, (minute + 1) * binCount)
      const cell = { key, fromUs: fromUs + minute * minuteUs, requests, errors: errors[minute] ?? 0 }
      writer.write(cell, bins, nonZero(bins))
    }
  }
  return writer.finish()
}
