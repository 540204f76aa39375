import { addToBin } from '../request-sketch.ts'
import { addCells, type CellPart, type SelectSketch } from './add-cells.ts'
import type { EventGroup } from './event-block.ts'
import { isDuring, type Run, type TimedBlocks, visitRuns } from './visit-blocks.ts'

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
  await visitRuns(blocks, group => {
    const sketchAt = group.isRequest ? select(group) : null
    return sketchAt && (run => addRun(run, sketchAt, group.isError))
  })
}

function addRun(
  { chunk: { offsetUs, bin }, start, end, fromUs, times }: Run,
  sketchAt: NonNullable<ReturnType<SelectSketch>>,
  isError: boolean,
): void {
  for (let at = start; at < end; at += 1) {
    const timeUs = fromUs + (offsetUs[at] ?? 0)
    if (times !== null && !isDuring(times, timeUs)) continue
    const sketch = sketchAt(timeUs)
    if (sketch === undefined) continue
    addToBin(sketch, bin[at] ?? 0, 1)
    if (isError) sketch.errors += 1
  }
}
