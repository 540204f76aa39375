import { addToBin } from '../request-sketch.ts'
import { addCells, type CellPart, type SelectSketch } from './add-cells.ts'
import type { EventGroup } from './event-block.ts'
import { type TimedBlocks, visitBlocks } from './visit-blocks.ts'

type RequestGroup = Pick<EventGroup, 'service' | 'method' | 'route' | 'isRequest' | 'isError'>

/**
 * Adds requests to sketches.
 * @param cells requests that have been counted
 * @param blocks individual events, which may also include other events than requests
 */
export async function addRequests<Group extends RequestGroup>(
  cells: readonly CellPart[],
  blocks: readonly TimedBlocks<Group>[],
  select: SelectSketch,
): Promise<void> {
  await addCells(cells, select)
  await visitBlocks(blocks, group => {
    const sketchAt = group.isRequest ? select(group) : null
    const errors = group.isError ? 1 : 0
    return (
      sketchAt &&
      ((timeUs, _, bin) => {
        const sketch = sketchAt(timeUs)
        if (sketch === undefined) return
        addToBin(sketch, bin, 1)
        sketch.errors += errors
      })
    )
  })
}
