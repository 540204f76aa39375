import { binCount } from '../duration-bins.ts'
import type { CellPart } from './add-cells.ts'
import type { EventChunk, EventGroup } from './event-block.ts'
import { minutesPerGrain, minuteUs, replaceMinutes } from './minutes.ts'
import { createCellWriter, nonZero, type RequestCells } from './request-cells.ts'
import type { Buckets } from './times.ts'
import type { TimedBlocks } from './visit-blocks.ts'

type RequestGroup = Pick<EventGroup, 'service' | 'isRequest' | 'isError'>

/** With fewer requests in each minute of a service, visiting the requests themselves is faster. */
const minPerMinute = 100
/** With more bins, visiting the counts would take almost as long as visiting the requests. */
const maxBinsPerRequest = 0.5

/** The requests of each chunk; `null` if counting them would not help. */
const counted = new WeakMap<EventChunk<RequestGroup>, RequestCells | null>()

/**
 * Replaces requests in whole minutes with counts by service and duration, which are computed once for each chunk. Charts of
 * an hour or two, whose buckets are shorter than a block, then visit far fewer entries. The counts are of all services.
 */
export async function withMinuteCells<Group extends RequestGroup>(
  parts: readonly TimedBlocks<Group>[],
  buckets: Buckets,
): Promise<{ cells: CellPart[]; events: TimedBlocks<Group>[] }> {
  const cells: CellPart[] = []
  const events = await replaceMinutes(parts, buckets, (chunk, { fromUs, whole }) => {
    const ofChunk = minuteCells(chunk, fromUs)
    if (ofChunk !== null) cells.push({ cells: ofChunk, times: whole })
    return ofChunk !== null
  })
  return { cells, events }
}

function minuteCells(chunk: EventChunk<RequestGroup>, fromUs: number): RequestCells | null {
  const existing = counted.get(chunk)
  if (existing !== undefined) return existing
  const { services, requests } = summarise(chunk)
  const isDense = requests >= services * minutesPerGrain * minPerMinute
  const cells = chunk.count === null && requests > 0 && isDense ? countMinutes(chunk, fromUs) : null
  const isShorter = cells !== null && cells.bins.length <= requests * maxBinsPerRequest
  counted.set(chunk, isShorter ? cells : null)
  return isShorter ? cells : null
}

/** How many requests the chunk contains, and of how many services. */
function summarise({ groups, group, end }: EventChunk<RequestGroup>): { services: number; requests: number } {
  const services = new Set<string>()
  let requests = 0
  for (const [position, index] of group.entries()) {
    const ofGroup = groups[index]
    if (!ofGroup?.isRequest) continue
    services.add(ofGroup.service)
    requests += (end[position] ?? 0) - (end[position - 1] ?? 0)
  }
  return { services: services.size, requests }
}

type Minutes = { requests: Uint32Array; errors: Uint32Array; counts: Uint32Array }

function countMinutes(chunk: EventChunk<RequestGroup>, fromUs: number): RequestCells {
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
      addRun(minutes, chunk, start, end, group.isError)
    }
    start = end
  }
  return toCells(byService, fromUs)
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
