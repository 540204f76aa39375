import { bandCounts } from '../../common/duration-bins.ts'
import type { LatencyCell, RequestFilter } from '../../event-store.ts'
import type { Source } from '../sql/source.ts'
import { cellsByBucket, sketchOf } from './requests.ts'

export async function latency(
  source: Source,
  filter: RequestFilter,
  bucketMs: number,
  edgesMs: readonly number[],
): Promise<LatencyCell[]> {
  const countBands = bandCounts(edgesMs)
  const buckets = await cellsByBucket(source, filter, bucketMs)
  return buckets.flatMap((cells, bucket) =>
    countBands(sketchOf(cells).counts).flatMap((requests, band) =>
      requests > 0 ? [{ bucket, band, requests }] : [],
    ),
  )
}
