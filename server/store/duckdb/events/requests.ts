import { bucketCount } from '../../buckets.ts'
import { emptySketch, type RequestSketch, seriesOf } from '../../common/request-sketch.ts'
import type { RequestFilter, RequestSeries } from '../../event-store.ts'
import type { Source } from '../sql/source.ts'
import { visitRequests } from './read-requests.ts'

export async function requestSeries(
  source: Source,
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
  await visitRequests(source, filter, { bucketMs, grouping: 'none' }, () => sketchOf)
  return seriesOf(sketches, filter.window.fromMs, bucketMs)
}
