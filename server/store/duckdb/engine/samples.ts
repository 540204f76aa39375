import { createTimeSlice } from '../../../time-slice.ts'
import { number, text } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import type { ReadResult } from './connections.ts'
import type { ListItems } from './result.ts'

/** Measured values by series. The key is the text that identifies the series in the query. */
export type Samples = ReadonlyMap<string, { timeUs: Float64Array; value: Float64Array }>

/** More samples would need too much memory, and the engine aggregates that many faster than JavaScript does. */
export const maxSamples = 200_000

/**
 * Reads samples into arrays, because objects would take several times as much memory and time.
 * @param query a table with the columns `key`, `time_us` and `value`
 * @returns `null` if there are more than `maxSamples`
 */
export async function readSamples(readResult: ReadResult, query: Sql): Promise<Samples | null> {
  const result = await readResult(sql`
    SELECT key, list(time_us::DOUBLE), list(value)
    FROM (FROM ${query} WHERE value IS NOT NULL LIMIT ${maxSamples + 1}) GROUP BY key`)
  const samples = new Map<string, { timeUs: Float64Array; value: Float64Array }>()
  const slice = createTimeSlice()
  let count = 0
  for (let row = 0; row < result.rowCount; row += 1) {
    if (slice.isUsedUp()) await slice.yieldToOthers()
    const timeUs = toFloats(result.list(1, row))
    samples.set(text(result.value(0, row)), { timeUs, value: toFloats(result.list(2, row)) })
    count += timeUs.length
  }
  return count > maxSamples ? null : samples
}

function toFloats({ length, at }: ListItems): Float64Array {
  return Float64Array.from({ length }, (_, index) => number(at(index)))
}

/** The approximate memory usage of samples. */
export function sampleBytes(samples: Samples | null): number {
  let bytes = 1
  for (const [key, { timeUs }] of samples ?? []) bytes += 100 + 2 * key.length + 16 * timeUs.length
  return bytes
}
