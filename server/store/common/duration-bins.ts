import { durationEdgesMs } from '../duration-edges.ts'

// Durations are counted in bins, because the counts of two periods can be added, but their percentiles cannot. Bins are
// logarithmic, so that their relative error is the same for all durations (DDSketch, https://arxiv.org/abs/1908.10693). Bins
// also end at the edges of the heat map's rows, so that its counts are exact.

/** The number of bins over which durations increase by a factor of e. */
export const binsPerE = 50
/** All shorter durations are in the first bin. */
export const minBinMs = 1e-3
/** All longer durations are in the last bin. */
export const maxBinMs = 1e9
export const firstPower = Math.floor(Math.log(minBinMs) * binsPerE)
const powers = Math.ceil(Math.log(maxBinMs) * binsPerE) - firstPower

/** Bin n contains the durations that reach exactly n of these limits. */
const binLimitsMs = Float64Array.from(
  new Set([
    ...Array.from({ length: powers }, (_, index) => Math.exp((firstPower + index) / binsPerE)),
    ...durationEdgesMs,
  ]),
).sort()
export const binCount = binLimitsMs.length + 1

/** For each power, the bin at which a search starts. Searching upwards from there is faster than a binary search. */
const startBins = Uint16Array.from({ length: powers + 1 }, (_, index) =>
  limitsReached(Math.exp((firstPower + index - 0.5) / binsPerE), 0),
)

export function binOf(durationMs: number): number {
  if (!(durationMs >= minBinMs)) return 0
  const power = Math.floor(Math.log(Math.min(durationMs, maxBinMs)) * binsPerE)
  return limitsReached(durationMs, startBins[power - firstPower] ?? 0)
}

function limitsReached(durationMs: number, from: number): number {
  let bin = from
  // The comparison with NaN is false, so the loop also ends for Infinity.
  while (durationMs >= (binLimitsMs[bin] ?? Number.NaN)) bin += 1
  return bin
}

/** A duration that differs by at most 1% from all durations in the bin. Accurate between a microsecond and eleven days. */
export function durationOf(bin: number): number {
  const from = binLimitsMs[bin - 1]
  const to = binLimitsMs[bin] ?? maxBinMs
  return from === undefined ? 0 : (2 * from * to) / (from + to)
}

/** The number of bands: see `LatencyCell`. */
export const bandCount = durationEdgesMs.length + 1

const bandOfBin = Uint8Array.from({ length: binCount }, (_, bin) => {
  const fromMs = binLimitsMs[bin - 1] ?? 0
  return durationEdgesMs.filter(edgeMs => edgeMs <= fromMs).length
})

/** The band that contains a bin's durations. */
export function bandOf(bin: number): number {
  return bandOfBin[bin] ?? 0
}
