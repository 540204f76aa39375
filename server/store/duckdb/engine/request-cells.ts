import { DuckDBListValue } from '@duckdb/node-api'
import { createTurns } from '../../../turns.ts'
import { binCount, binOf } from '../../common/duration-bins.ts'
import { number, text, textOrNull } from '../sql/rows.ts'
import type { Result } from './connections.ts'
import type { Segment } from './segments.ts'

/** The length of the cells of a summary in time. Most charts have buckets of half an hour or a multiple of it. */
export const grainUs = 1_800_000_000

/** The requests of a segment up to `lastId`, by `grainUs`. */
export type RequestSummary = {
  segment: Segment
  lastId: number
  /** Whether the cells have a method and a route. */
  byRoute: boolean
  cells: readonly RequestCells[]
}

/**
 * Requests of the same time, service, method and route. `add` adds their durations to the counts of bins
 * (`duration-bins.ts`).
 */
export type RequestCell = {
  /** The same object for all cells of this key in a `RequestCells`. */
  key: CellKey
  fromUs: number
  requests: number
  errors: number
  add(counts: Uint32Array): void
}

export type CellKey = { service: string; method: string | null; route: string | null }

/** Typed arrays need a few bytes per cell and bin. An object per cell would need hundreds. */
export type RequestCells = {
  readonly keys: readonly CellKey[]
  readonly key: Uint32Array
  readonly fromUs: Float64Array
  readonly errors: Uint32Array
  readonly requests: Uint32Array
  /** Where the bins of each cell end. Those of the next cell begin there. */
  readonly end: Uint32Array
  readonly bins: Uint16Array
  readonly counts: Uint32Array
}

export function* eachCell(cells: RequestCells): Generator<RequestCell> {
  const { keys, bins, counts: stored } = cells
  let start = 0
  for (const [index, end] of cells.end.entries()) {
    const key = keys[cells.key[index] ?? 0]
    const from = start
    start = end
    if (key === undefined) continue
    yield {
      key,
      fromUs: cells.fromUs[index] ?? 0,
      errors: cells.errors[index] ?? 0,
      requests: cells.requests[index] ?? 0,
      add(counts) {
        for (let at = from; at < end; at += 1) {
          const bin = bins[at] ?? 0
          counts[bin] = (counts[bin] ?? 0) + (stored[at] ?? 0)
        }
      },
    }
  }
}

/** @param result the columns `from_us`, `service`, `method`, `route`, `errors` and a list of durations */
export async function readCells(result: Result): Promise<RequestCells> {
  const count = result.currentRowCount
  const keys = new Map<string, { index: number; key: CellKey }>()
  const cells = {
    key: new Uint32Array(count),
    fromUs: new Float64Array(count),
    errors: new Uint32Array(count),
    requests: new Uint32Array(count),
    end: new Uint32Array(count),
  }
  const bins: number[] = []
  const counts: number[] = []
  const scratch = new Uint32Array(binCount)
  const turns = createTurns()
  for (let row = 0; row < count; row += 1) {
    if (turns.isOver()) await turns.next()
    const key = {
      service: text(result.value(1, row)),
      method: textOrNull(result.value(2, row)),
      route: textOrNull(result.value(3, row)),
    }
    const name = JSON.stringify([key.service, key.method, key.route])
    const known = keys.get(name) ?? { index: keys.size, key }
    keys.set(name, known)
    const durations = listItems(result.value(5, row))
    const used: number[] = []
    for (const duration of durations) {
      const bin = binOf(number(duration))
      if (scratch[bin] === 0) used.push(bin)
      scratch[bin] = (scratch[bin] ?? 0) + 1
    }
    for (const bin of used) {
      bins.push(bin)
      counts.push(scratch[bin] ?? 0)
      scratch[bin] = 0
    }
    cells.key[row] = known.index
    cells.fromUs[row] = number(result.value(0, row))
    cells.errors[row] = number(result.value(4, row))
    cells.requests[row] = durations.length
    cells.end[row] = bins.length
  }
  return {
    ...cells,
    keys: Array.from(keys.values(), ({ key }) => key),
    bins: Uint16Array.from(bins),
    counts: Uint32Array.from(counts),
  }
}

function listItems(value: unknown): readonly unknown[] {
  if (!(value instanceof DuckDBListValue)) throw new TypeError('Expected a list from the engine')
  return value.items
}
