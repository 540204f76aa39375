import type { LatencyCell, RequestBucket, RequestCounts, RequestSeries } from '../event-store.ts'
import { bandCount, bandOf, binCount, binOf, durationOf } from './duration-bins.ts'

/** The number of bins in a page. Most pages are empty, because a bucket's or route's durations are usually similar. */
const pageBins = 64

/** Requests, counted by duration bin. Pages whose bins are all empty need no memory. */
export type RequestSketch = { errors: number; pages: (Uint32Array | undefined)[] }

export function emptySketch(): RequestSketch {
  return { errors: 0, pages: [] }
}

export function addToBin({ pages }: RequestSketch, bin: number, count: number): void {
  const index = Math.floor(bin / pageBins)
  const page = pages[index] ?? new Uint32Array(pageBins)
  pages[index] = page
  const at = bin % pageBins
  page[at] = (page[at] ?? 0) + count
}

export function addRequest(sketch: RequestSketch, durationMs: number, isError: boolean): void {
  addToBin(sketch, binOf(durationMs), 1)
  if (isError) sketch.errors += 1
}

function addSketch(sum: RequestSketch, { errors, pages }: RequestSketch): void {
  sum.errors += errors
  for (const [index, page] of pages.entries()) {
    for (let at = 0; page !== undefined && at < pageBins; at += 1) {
      const count = page[at] ?? 0
      if (count > 0) addToBin(sum, index * pageBins + at, count)
    }
  }
}

/** @param sketches the requests of each bucket; `undefined` if there are none */
export function seriesOf(
  sketches: Iterable<RequestSketch | undefined>,
  fromMs: number,
  bucketMs: number,
): RequestSeries {
  const none = countsOf(emptySketch())
  const total = emptySketch()
  const buckets: RequestBucket[] = []
  const cells: LatencyCell[] = []
  for (const sketch of sketches) {
    const bucket = buckets.length
    const startMs = fromMs + bucket * bucketMs
    buckets.push({ startMs, ...(sketch === undefined ? none : countsOf(sketch)) })
    if (sketch === undefined) continue
    for (const [band, requests] of bandCounts(sketch).entries()) {
      if (requests > 0) cells.push({ bucket, band, requests })
    }
    addSketch(total, sketch)
  }
  return { total: countsOf(total), buckets, cells }
}

/** Adds up the counts of bins by band: see `LatencyCell`. */
export function bandCounts(sketch: RequestSketch): number[] {
  const bands = Array.from({ length: bandCount }, () => 0)
  const { length, bins, endRanks } = ranksOf(sketch)
  for (let index = 0; index < length; index += 1) {
    const band = bandOf(bins[index] ?? 0)
    bands[band] = (bands[band] ?? 0) + (endRanks[index] ?? 0) - (endRanks[index - 1] ?? 0)
  }
  return bands
}

export function countsOf(sketch: RequestSketch): RequestCounts {
  const ranks = ranksOf(sketch)
  const requests = ranks.endRanks[ranks.length - 1] ?? 0
  const percentile = (share: number) => interpolate(ranks, (requests - 1) * share)
  return {
    requests,
    errors: sketch.errors,
    p50Ms: percentile(0.5),
    p95Ms: percentile(0.95),
    p99Ms: percentile(0.99),
  }
}

/**
 * The nonempty bins, in the first `length` elements of each array. A bin's durations rank below its `endRank`, and above the
 * durations in lower bins.
 */
type BinRanks = { length: number; bins: Uint16Array; endRanks: Float64Array }

/** Reused, because the bins of hundreds of sketches are ranked for one screen. */
const scratch = { bins: new Uint16Array(binCount), endRanks: new Float64Array(binCount) }

function ranksOf({ pages }: RequestSketch): BinRanks {
  const { bins, endRanks } = scratch
  let [length, rank] = [0, 0]
  for (let index = 0; index < pages.length; index += 1) {
    const page = pages[index]
    for (let at = 0; page !== undefined && at < pageBins; at += 1) {
      const count = page[at] ?? 0
      if (count === 0) continue
      rank += count
      bins[length] = index * pageBins + at
      endRanks[length] = rank
      length += 1
    }
  }
  return { length, bins, endRanks }
}

/** Interpolates between the durations next to a position, like an exact percentile, so the error remains at most 1%. */
function interpolate(ranks: BinRanks, position: number): number | null {
  if (position < 0) return null
  const below = durationAt(ranks, Math.floor(position))
  const above = durationAt(ranks, Math.ceil(position))
  return below + (above - below) * (position - Math.floor(position))
}

function durationAt({ length, bins, endRanks }: BinRanks, rank: number): number {
  let index = 0
  while (index < length && (endRanks[index] ?? 0) <= rank) index += 1
  return durationOf(index < length ? (bins[index] ?? 0) : binCount)
}
