import { addToBin, type RequestSketch } from '../request-sketch.ts'
import { addCells, type CellPart, type SelectSketch, type SketchFinder } from './add-cells.ts'
import type { EventGroup } from './event-block.ts'
import { type Buckets, bucketTimes, isDuring, noTimes } from './times.ts'
import { type Run, type TimedBlocks, visitRuns } from './visit-blocks.ts'

type RequestGroup = Pick<EventGroup, 'service' | 'method' | 'route' | 'isRequest' | 'isError'>

/**
 * Adds requests to sketches.
 * @param cells requests that have been counted
 * @param blocks individual events, which may also include other events than requests
 */
export async function addRequests<Group extends RequestGroup>(
  cells: readonly CellPart[],
  blocks: readonly TimedBlocks<Group>[],
  buckets: Buckets,
  select: SelectSketch,
): Promise<void> {
  await addCells(cells, select)
  await visitRuns(blocks, group => {
    const sketchAt = group.isRequest ? select(group) : null
    return sketchAt && (run => addRun(run, buckets, sketchAt, group.isError))
  })
}

/** Finds the sketch once for successive events in the same bucket, because a call for each event would be slower. */
function addRun(
  { chunk: { offsetUs, bin }, start, end, fromUs, times }: Run,
  buckets: Buckets,
  sketchAt: SketchFinder,
  isError: boolean,
): void {
  let bucket = noTimes
  let sketch: RequestSketch | undefined
  for (let at = start; at < end; at += 1) {
    const timeUs = fromUs + (offsetUs[at] ?? 0)
    if (times !== null && !isDuring(times, timeUs)) continue
    if (timeUs < bucket.fromUs || timeUs >= bucket.toUs) {
      bucket = bucketTimes(buckets, timeUs)
      sketch = sketchAt(timeUs)
    }
    if (sketch === undefined) continue
    addToBin(sketch, bin[at] ?? 0, 1)
    if (isError) sketch.errors += 1
  }
}
