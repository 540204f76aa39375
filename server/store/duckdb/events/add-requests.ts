import type { RequestSketch } from '../../common/request-sketch.ts'
import type { CellKey, RequestCell } from '../engine/request-cells.ts'
import type { RequestParts } from './request-parts.ts'

export function addCell(sketch: RequestSketch, cell: RequestCell): void {
  sketch.errors += cell.errors
  cell.add(sketch.counts)
}

/**
 * Adds the requests in memory to sketches.
 * @param select returns the sketch for each time of the requests with this key; `null` skips them
 */
export async function addRequests(
  { visitBlocks }: RequestParts,
  select: (key: CellKey) => ((timeUs: number) => RequestSketch | undefined) | null,
): Promise<void> {
  await visitBlocks(group => {
    const sketchOf = select(group)
    const errors = group.isError ? 1 : 0
    return (
      sketchOf &&
      ((timeUs, bin) => {
        const sketch = sketchOf(timeUs)
        if (sketch === undefined) return
        sketch.counts[bin] = (sketch.counts[bin] ?? 0) + 1
        sketch.errors += errors
      })
    )
  })
}
