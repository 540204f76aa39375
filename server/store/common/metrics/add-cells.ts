import { createTimeSlice } from '../../../time-slice.ts'
import { addToBin, type RequestSketch } from '../request-sketch.ts'
import type { CellKey, RequestCells } from './request-cells.ts'
import type { TimesUs } from './times.ts'

/** Cells, and the time ranges for which they are needed. Each range starts and ends at a cell boundary. */
export type CellPart = { cells: RequestCells; times: readonly TimesUs[] }

export const allTimes: readonly TimesUs[] = [
  { fromUs: Number.NEGATIVE_INFINITY, toUs: Number.POSITIVE_INFINITY },
]

/** Finds the sketch for a time. */
export type SketchFinder = (timeUs: number) => RequestSketch | undefined

/** Returns the finder for requests with this key; `null` skips these requests. */
export type SelectSketch = (key: CellKey) => SketchFinder | null

/** How many cells to visit before checking the time. */
const cellsPerCheck = 1000

/** Adds cells to sketches, and yields to other requests. Calls `select` once for each key of a part. */
export async function addCells(parts: readonly CellPart[], select: SelectSketch): Promise<void> {
  await visitCells(parts, select, (sketchAt, { errors, end, bins, counts, fromUs }, index) => {
    const sketch = sketchAt(fromUs[index] ?? 0)
    if (sketch === undefined) return
    sketch.errors += errors[index] ?? 0
    for (let at = end[index - 1] ?? 0; at < (end[index] ?? 0); at += 1) {
      addToBin(sketch, bins[at] ?? 0, counts[at] ?? 0)
    }
  })
}

/** Counts requests by key. Several elements may have equal keys. */
export async function countCells(
  parts: readonly CellPart[],
  isListed: (key: CellKey) => boolean,
): Promise<(readonly [CellKey, number])[]> {
  const counts: { key: CellKey; requests: number }[] = []
  const counterOf = (key: CellKey) => {
    if (!isListed(key)) return null
    const counter = { key, requests: 0 }
    counts.push(counter)
    return counter
  }
  await visitCells(parts, counterOf, (counter, { requests }, index) => {
    counter.requests += requests[index] ?? 0
  })
  return counts.filter(({ requests }) => requests > 0).map(({ key, requests }) => [key, requests])
}

/** @param select called once for each key of a part; `null` skips its cells */
async function visitCells<Selected>(
  parts: readonly CellPart[],
  select: (key: CellKey) => Selected | null,
  visit: (selected: Selected, cells: RequestCells, index: number) => void,
): Promise<void> {
  const slice = createTimeSlice()
  for (const { cells, times } of parts) {
    const selected = cells.keys.map(select)
    for (const { fromUs, toUs } of times) {
      const end = firstAt(cells, toUs)
      for (let index = firstAt(cells, fromUs); index < end; index += 1) {
        if (index % cellsPerCheck === 0 && slice.isUsedUp()) await slice.yieldToOthers()
        const ofKey = selected[cells.key[index] ?? 0] ?? null
        if (ofKey !== null) visit(ofKey, cells, index)
      }
    }
  }
}

/** Returns the index of the first cell at or after a time, or the number of cells. */
function firstAt({ fromUs }: RequestCells, timeUs: number): number {
  let [low, high] = [0, fromUs.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((fromUs[middle] ?? 0) < timeUs) low = middle + 1
    else high = middle
  }
  return low
}
