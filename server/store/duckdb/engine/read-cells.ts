import { createTimeSlice } from '../../../time-slice.ts'
import { binCount, binOf } from '../../common/duration-bins.ts'
import { createCellWriter, type RequestCells } from '../../common/metrics/request-cells.ts'
import { number, text, textOrNull } from '../../common/rows.ts'
import type { Result } from './result.ts'

/** How many durations to count before checking the time. */
const durationsPerCheck = 10_000

/** @param result the result of `durationLists` */
export async function readCells(result: Result): Promise<RequestCells> {
  const writer = createCellWriter()
  const counts = new Uint32Array(binCount)
  const slice = createTimeSlice()
  for (let row = 0; row < result.rowCount; row += 1) {
    if (slice.isUsedUp()) await slice.yieldToOthers()
    const durations = result.list(5, row)
    const bins: number[] = []
    for (let index = 0; index < durations.length; index += 1) {
      if (index % durationsPerCheck === durationsPerCheck - 1 && slice.isUsedUp()) await slice.yieldToOthers()
      const bin = binOf(number(durations.at(index)))
      if (counts[bin] === 0) bins.push(bin)
      counts[bin] = (counts[bin] ?? 0) + 1
    }
    const cell = {
      key: {
        service: text(result.value(1, row)),
        method: textOrNull(result.value(2, row)),
        route: textOrNull(result.value(3, row)),
      },
      fromUs: number(result.value(0, row)),
      errors: number(result.value(4, row)),
      requests: durations.length,
    }
    writer.write(cell, counts, bins)
  }
  return writer.finish()
}
