import { bucketCount } from '../../buckets.ts'
import type { RequestFilter, RequestSeries } from '../../event-store.ts'
import { emptySketch, type RequestSketch, seriesOf } from '../request-sketch.ts'
import type { EventReader } from './event-reader.ts'

/** See `EventStore`. */
export async function requestSeries(
  { visitRequests }: Pick<EventReader, 'visitRequests'>,
  filter: RequestFilter,
  bucketMs: number,
): Promise<RequestSeries> {
  const buckets = bucketCount(filter.window, bucketMs)
  const sketches = Array.from({ length: buckets }, (): RequestSketch | undefined => undefined)
  const sketchOf = (bucket: number) => {
    const sketch = sketches[bucket] ?? emptySketch()
    sketches[bucket] = sketch
    return sketch
  }
  await visitRequests(filter, { bucketMs, grouping: 'none' }, () => sketchOf)
  return seriesOf(sketches, filter.window.fromMs, bucketMs)
}
