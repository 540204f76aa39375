import type { LatencyCell, RequestBucket, RequestCounts, RequestSeries } from '../event-store.ts'
import { bandCounts, binCount, binOf, durationOf } from './duration-bins.ts'

/** Requests, counted by the bin of their duration. */
export type RequestSketch = { errors: number; counts: Uint32Array }

export function emptySketch(): RequestSketch {
  return { errors: 0, counts: new Uint32Array(binCount) }
}

export function addRequest(sketch: RequestSketch, durationMs: number, isError: boolean): void {
  const bin = binOf(durationMs)
  sketch.counts[bin] = (sketch.counts[bin] ?? 0) + 1
  if (isError) sketch.errors += 1
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
    const { errors, counts } = sketch
    for (const [band, requests] of bandCounts(counts).entries()) {
      if (requests > 0) cells.push({ bucket, band, requests })
    }
    total.errors += errors
    for (let bin = 0; bin < binCount; bin += 1)
      total.counts[bin] = (total.counts[bin] ?? 0) + (counts[bin] ?? 0)
  }
  return { total: countsOf(total), buckets, cells }
}

export function countsOf({ errors, counts }: RequestSketch): RequestCounts {
  // Most bins are empty, and three percentiles would visit them several times.
  const ranks: BinRanks[] = []
  let requests = 0
  for (let bin = 0; bin < binCount; bin += 1) {
    const count = counts[bin] ?? 0
    if (count === 0) continue
    requests += count
    ranks.push({ bin, endRank: requests })
  }
  const percentile = (share: number) => interpolate(ranks, (requests - 1) * share)
  return {
    requests,
    errors,
    p50Ms: percentile(0.5),
    p95Ms: percentile(0.95),
    p99Ms: percentile(0.99),
  }
}

/** A bin that is not empty. Its durations rank below `endRank`, and above those of the previous bins. */
type BinRanks = { bin: number; endRank: number }

/** Interpolates between the durations next to a position, like an exact percentile, so the error is also at most 1 %. */
function interpolate(ranks: readonly BinRanks[], position: number): number | null {
  if (position < 0) return null
  const below = durationAt(ranks, Math.floor(position))
  const above = durationAt(ranks, Math.ceil(position))
  return below + (above - below) * (position - Math.floor(position))
}

function durationAt(ranks: readonly BinRanks[], rank: number): number {
  return durationOf(ranks.find(({ endRank }) => endRank > rank)?.bin ?? binCount)
}
