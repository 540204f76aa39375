import { createTimeSlice } from '../../../time-slice.ts'
import type { RequestCell } from '../engine/request-cells.ts'

/** How many cells to visit before checking the time. */
const cellsPerCheck = 1000

/** Visits cells, and yields to other requests. */
export async function visitCells(
  parts: readonly Iterable<RequestCell>[],
  visit: (cell: RequestCell) => void,
): Promise<void> {
  const slice = createTimeSlice()
  let visited = 0
  for (const cells of parts) {
    for (const cell of cells) {
      visited += 1
      if (visited % cellsPerCheck === 0 && slice.isUsedUp()) await slice.yieldToOthers()
      visit(cell)
    }
    if (slice.isUsedUp()) await slice.yieldToOthers()
  }
}
