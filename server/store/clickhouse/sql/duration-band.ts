import { binOf, binsPerE, firstPower, maxBinMs, minBinMs } from '../../common/duration-bins.ts'
import { list, number } from '../../common/rows.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import { durationEdgesMs } from '../../duration-edges.ts'
import { verbatim } from './verbatim.ts'

// The event table contains these expressions, so changing one of them requires a new version of the tables.

const duration = sql`least(assumeNotNull(duration_ms), ${literal(maxBinMs)})`
const edges = sql`[${join(durationEdgesMs.map(literal), ', ')}]`
const firstEdge = literal(durationEdgesMs[0] ?? 0)
const powerOf = (durationMs: Sql) => sql`floor(log(${durationMs}) * ${literal(binsPerE)})`

/** The band that contains a request's duration (see `LatencyCell`). `NULL` for an event that is not a request. */
export const durationBand = sql`if(status IS NULL OR duration_ms IS NULL, NULL,
  toUInt8(if(${duration} < ${firstEdge}, 0, indexOf(${edges}, roundDown(${duration}, ${edges})))))`

/** The index of the bin that contains a request's duration, counted from the start of the band. */
export const durationBin = sql`toUInt16(if(${duration} < ${literal(minBinMs)}, 0, ${powerOf(duration)} -
  if(${duration} < ${firstEdge}, ${literal(firstPower - 1)}, ${powerOf(sql`roundDown(${duration}, ${edges})`)})))`

/** Raises a bin's lower limit slightly, so that a rounding error does not put it in the bin below. */
const aboveRounding = 1 + 1e-6

const bins: number[][] = []

/** The number of a bin (see `duration-bins.ts`), given its band and its index in the band. */
export function binAt(band: number, index: number): number {
  const ofBand = bins[band] ?? []
  bins[band] = ofBand
  const bin = ofBand[index] ?? binOf(binFromMs(band, index) * aboveRounding)
  ofBand[index] = bin
  return bin
}

/**
 * Calls a function with each bin that contains requests.
 * @param bands pairs of a band and the number of requests in each of its bins
 */
export function visitBins(bands: unknown, visit: (bin: number, requests: number) => void): void {
  for (const [durationBand, bins] of list(bands, band => list(band, part => part))) {
    const band = number(durationBand)
    list(bins, number).forEach((requests, index) => {
      if (requests > 0) visit(binAt(band, index), requests)
    })
  }
}

/** The lower limit of a bin, given its band and its index in the band. The inverse of the expressions above. */
export function binFromMs(band: number, index: number): number {
  if (band === 0 && index === 0) return 0
  const bandFromMs = durationEdgesMs[band - 1] ?? 0
  const bandPower = band === 0 ? firstPower - 1 : Math.floor(Math.log(bandFromMs) * binsPerE)
  return Math.max(minBinMs, bandFromMs, Math.exp((bandPower + index) / binsPerE))
}

function literal(value: number): Sql {
  return verbatim(String(value))
}
