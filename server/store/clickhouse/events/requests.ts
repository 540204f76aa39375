import { type CellPart, countCells, type SelectSketch } from '../../common/metrics/add-cells.ts'
import { addRequests } from '../../common/metrics/add-requests.ts'
import type { CellKey } from '../../common/metrics/request-cells.ts'
import type { RouteRequests } from '../../common/metrics/route-metrics.ts'
import { type Buckets, bucketsOf } from '../../common/metrics/times.ts'
import { countEvents, type TimedBlocks } from '../../common/metrics/visit-blocks.ts'
import { ofServices } from '../../common/of-services.ts'
import { addToBin, type RequestSketch } from '../../common/request-sketch.ts'
import { number, type Row, text, textOrNull } from '../../common/rows.ts'
import { selectsService } from '../../common/selects-service.ts'
import { join, name, type Sql, sql } from '../../common/sql.ts'
import type { RequestFilter } from '../../event-store.ts'
import type { CachedGroup } from '../cache/cached-event.ts'
import type { CachedRequests } from '../cache/event-cache.ts'
import { visitBins } from '../sql/duration-band.ts'
import { eventGroups } from '../sql/event-groups.ts'
import type { Source } from '../sql/source.ts'

/** Limits the number of routes that a query returns. */
const maxRoutes = 10_000

/** The requests of a window, by route. */
export async function routeRequests(source: Source, filter: RequestFilter): Promise<RouteRequests> {
  const buckets = bucketsOf(filter.window, null)
  const cached = await source.cache.requests(filter.window, buckets.bucketUs, 'route')
  if (cached !== null) {
    return {
      count: () => countRequests(source, cached, filter),
      addTo: select => {
        const events = [{ ...cached.events, services: source.services }]
        return addCached(source, cached.cells, events, filter, buckets, select)
      },
    }
  }
  const rows = await queryRequests(source, filter, { bucketMs: null, grouping: 'route' })
  return {
    count: async () => rows.map(({ key, requests }) => [key, requests]),
    async addTo(select) {
      for (const { key, addTo } of rows) {
        const sketch = select(key)?.(0)
        if (sketch !== undefined) addTo(sketch)
      }
    },
  }
}

/** Adds cached requests to sketches. */
export function addCached(
  { services }: Pick<Source, 'services'>,
  cells: readonly CellPart[],
  events: readonly TimedBlocks<CachedGroup>[],
  filter: RequestFilter,
  buckets: Buckets,
  select: SelectSketch,
): Promise<void> {
  const isSelected = selectionOf(services, filter)
  return addRequests(cells, events, buckets, key => (isSelected(key) ? select(key) : null))
}

async function countRequests(
  { services }: Pick<Source, 'services'>,
  { cells, events }: CachedRequests,
  filter: RequestFilter,
): Promise<(readonly [CellKey, number])[]> {
  const isSelected = selectionOf(services, filter)
  const ofEvents = await countEvents([{ ...events, services }])
  return [
    ...(await countCells(cells, isSelected)),
    ...ofEvents.filter(([group]) => group.isRequest && isSelected(group)),
  ]
}

function selectionOf(services: Source['services'], filter: RequestFilter): (key: CellKey) => boolean {
  return ({ service }) => selectsService(filter, service) && (services?.has(service) ?? true)
}

const keyColumns = {
  none: [],
  service: ['service'],
  route: ['service', 'method', 'route'],
} as const

type QueriedRequests = {
  /** Contains only the columns of the grouping. */
  key: CellKey
  bucket: number
  requests: number
  addTo(sketch: RequestSketch): void
}

/** Reads the requests in a window from ClickHouse, by bucket and key; of more than `maxRoutes` routes, only the busiest. */
export async function queryRequests(
  { events, select }: Pick<Source, 'events' | 'select'>,
  { window, ...services }: RequestFilter,
  { bucketMs, grouping }: { bucketMs: number | null; grouping: keyof typeof keyColumns },
): Promise<QueriedRequests[]> {
  const keys = keyColumns[grouping].map(name)
  const groups = eventGroups(
    { events },
    {
      window,
      bucketMs,
      projection: grouping === 'route' ? 'route_durations' : 'service_activity',
      keys: [...keys, sql`duration_band`],
      values: ['events', 'failed', 'bins'],
      condition: sql`duration_band IS NOT NULL AND ${ofServices(services)}`,
    },
  )
  const columns = join([sql`bucket`, ...keys], ', ')
  const limit: Sql = grouping === 'route' ? sql`ORDER BY requests DESC LIMIT ${maxRoutes}` : sql``
  const rows = await select(sql`
    SELECT ${columns}, groupArray((duration_band, bins_in_band)) AS bands, sum(in_band) AS requests, sum(failed_in_band) AS errors
    FROM (
      SELECT ${columns}, duration_band, sum(events) AS in_band, sum(failed) AS failed_in_band, sumForEach(bins) AS bins_in_band
      FROM ${groups} GROUP BY ${columns}, duration_band
    ) GROUP BY ${columns} ${limit}`)
  return rows.map(row => ({
    key: {
      service: text(row.service ?? ''),
      method: textOrNull(row.method ?? null),
      route: textOrNull(row.route ?? null),
    },
    bucket: number(row.bucket),
    requests: number(row.requests),
    addTo: sketch => addRow(sketch, row),
  }))
}

function addRow(sketch: RequestSketch, row: Row): void {
  visitBins(row.bands, (bin, requests) => addToBin(sketch, bin, requests))
  sketch.errors += number(row.errors)
}
