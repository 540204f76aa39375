import type { RequestCounts } from '../event-store.ts'
import { binCount, binOf, durationOf } from './duration-bins.ts'

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

export function countsOf({ errors, counts }: RequestSketch): RequestCounts {
  const requests = counts.reduce((sum, count) => sum + count, 0)
  const percentile = (share: number) => interpolate(counts, (requests - 1) * share)
  return {
    requests,
    errors,
    p50Ms: percentile(0.5),
    p95Ms: percentile(0.95),
    p99Ms: percentile(0.99),
  }
}

/** Interpolates between the durations next to a position, like an exact percentile, so the error is also at most 1 %. */
function interpolate(counts: Uint32Array, position: number): number | null {
  if (position < 0) return null
  const below = durationAt(counts, Math.floor(position))
  const above = durationAt(counts, Math.ceil(position))
  return below + (above - below) * (position - Math.floor(position))
}

function durationAt(counts: Uint32Array, rank: number): number {
  let seen = 0
  return durationOf(
    counts.findIndex(count => {
      seen += count
      return seen > rank
    }),
  )
}
