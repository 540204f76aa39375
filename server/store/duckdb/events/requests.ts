import { bucketCount } from '../../buckets.ts'
import { emptySketch, seriesOf } from '../../common/request-sketch.ts'
import type { RequestFilter, RequestSeries } from '../../event-store.ts'
import type { Source } from '../sql/source.ts'
import { visitRequests } from './read-requests.ts'

export async function requestSeries(
  source: Source,
  filter: RequestFilter,
  bucketMs: number,
): Promise<RequestSeries> {
  const sketches = Array.from({ length: bucketCount(filter.window, bucketMs) }, emptySketch)
  const sketchOf = (bucket: number) => sketches[bucket]
  await visitRequests(source, filter, { bucketMs, grouping: 'none' }, () => sketchOf)
  return seriesOf(sketches, filter.window.fromMs, bucketMs)
}
