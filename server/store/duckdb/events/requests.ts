import { bucketCount } from '../../buckets.ts'
import { countsOf, emptySketch, type RequestSketch, seriesOf } from '../../common/request-sketch.ts'
import type { RequestCounts, RequestFilter, RequestSeries } from '../../event-store.ts'
import type { RequestCell } from '../engine/request-cells.ts'
import type { Source } from '../sql/source.ts'
import { sql } from '../sql/sql.ts'
import { visitRequests } from './read-requests.ts'

export async function requestSeries(
  source: Source,
  filter: RequestFilter,
  bucketMs: number,
): Promise<RequestSeries> {
  const cells = Array.from({ length: bucketCount(filter.window, bucketMs) }, (): RequestCell[] => [])
  await visitRequests(source, filter, { bucketMs, grouping: 'none', listed: sql`true` }, (cell, bucket) => {
    cells[bucket]?.push(cell)
  })
  return seriesOf(cells.map(sketchOf), filter.window.fromMs, bucketMs)
}

export function requestCounts(cells: readonly RequestCell[]): RequestCounts {
  return countsOf(sketchOf(cells))
}

function sketchOf(cells: readonly RequestCell[]): RequestSketch {
  const sketch = emptySketch()
  for (const cell of cells) addCell(sketch, cell)
  return sketch
}

export function addCell(sketch: RequestSketch, cell: RequestCell): void {
  sketch.errors += cell.errors
  cell.add(sketch.counts)
}
