import { createTimeSlice } from '../../../time-slice.ts'
import { binCount } from '../duration-bins.ts'
import { createGrowingArray } from './growing-array.ts'

export type CellKey = { service: string; method: string | null; route: string | null }

const names = new WeakMap<CellKey, string>()

/** Returns a string that identifies the service, method and route. */
export function nameOf(key: CellKey): string {
  const name = names.get(key) ?? JSON.stringify([key.service, key.method, key.route])
  names.set(key, name)
  return name
}

/**
 * Requests by time, service, method and route, oldest first. Typed arrays need a few bytes per bin in each cell, whereas
 * objects would need hundreds per cell.
 */
export type RequestCells = {
  readonly keys: readonly CellKey[]
  /** The index of each cell's key. */
  readonly key: Uint32Array
  readonly fromUs: Float64Array
  readonly errors: Uint32Array
  readonly requests: Uint32Array
  /** The offset at which each cell's bins end. */
  readonly end: Uint32Array
  /** The duration bins (`duration-bins.ts`), and the number of requests in each. */
  readonly bins: Uint16Array
  readonly counts: Uint32Array
}

/** Returns functions that collect cells and convert them to typed arrays. */
export function createCellWriter() {
  const keys = new Map<string, { index: number; key: CellKey }>()
  const columns = {
    key: createGrowingArray(Uint32Array),
    fromUs: createGrowingArray(Float64Array),
    errors: createGrowingArray(Uint32Array),
    requests: createGrowingArray(Uint32Array),
    end: createGrowingArray(Uint32Array),
    bins: createGrowingArray(Uint16Array),
    counts: createGrowingArray(Uint32Array),
  }
  return {
    /** @param counts the counts by bin; reset to zero for the next cell */
    write(
      cell: { key: CellKey; fromUs: number; requests: number; errors: number },
      counts: Uint32Array,
      bins: Iterable<number>,
    ) {
      const name = nameOf(cell.key)
      const entry = keys.get(name) ?? { index: keys.size, key: cell.key }
      keys.set(name, entry)
      for (const bin of bins) {
        columns.bins.push(bin)
        columns.counts.push(counts[bin] ?? 0)
        counts[bin] = 0
      }
      columns.key.push(entry.index)
      columns.fromUs.push(cell.fromUs)
      columns.errors.push(cell.errors)
      columns.requests.push(cell.requests)
      columns.end.push(columns.bins.length())
    },
    finish: (): RequestCells => ({
      keys: Array.from(keys.values(), ({ key }) => key),
      key: columns.key.toArray(),
      fromUs: columns.fromUs.toArray(),
      errors: columns.errors.toArray(),
      requests: columns.requests.toArray(),
      end: columns.end.toArray(),
      bins: columns.bins.toArray(),
      counts: columns.counts.toArray(),
    }),
  }
}

/**
 * Replaces the times and keys of cells, and merges cells whose new times and keys are equal. `timeOf` must preserve the
 * order of times.
 */
export async function mergeCells(
  cells: RequestCells,
  timeOf: (fromUs: number) => number,
  keyOf: (key: CellKey) => CellKey,
): Promise<RequestCells> {
  const slice = createTimeSlice()
  const keys = cells.keys.map(keyOf)
  const groups = new Map<string, { fromUs: number; key: CellKey; indexes: number[] }>()
  for (let index = 0; index < cells.end.length; index += 1) {
    if (slice.isUsedUp()) await slice.yieldToOthers()
    const key = keys[cells.key[index] ?? 0]
    if (key === undefined) continue
    const fromUs = timeOf(cells.fromUs[index] ?? 0)
    const name = `${fromUs} ${nameOf(key)}`
    const group = groups.get(name) ?? { fromUs, key, indexes: [] }
    group.indexes.push(index)
    groups.set(name, group)
  }
  const writer = createCellWriter()
  const counts = new Uint32Array(binCount)
  for (const { fromUs, key, indexes } of groups.values()) {
    if (slice.isUsedUp()) await slice.yieldToOthers()
    let [requests, errors] = [0, 0]
    for (const index of indexes) {
      requests += cells.requests[index] ?? 0
      errors += cells.errors[index] ?? 0
      for (let at = cells.end[index - 1] ?? 0; at < (cells.end[index] ?? 0); at += 1) {
        const bin = cells.bins[at] ?? 0
        counts[bin] = (counts[bin] ?? 0) + (cells.counts[at] ?? 0)
      }
    }
    writer.write({ fromUs, key, requests, errors }, counts, nonZero(counts))
  }
  return writer.finish()
}

/** The indexes of the counts that are not zero. */
export function* nonZero(counts: Uint32Array): Generator<number> {
  for (let bin = 0; bin < counts.length; bin += 1) if ((counts[bin] ?? 0) > 0) yield bin
}
