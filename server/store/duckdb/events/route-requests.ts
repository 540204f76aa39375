import { addCells, allTimes } from '../../common/metrics/add-cells.ts'
import type { CellKey } from '../../common/metrics/request-cells.ts'
import type { RouteRequests } from '../../common/metrics/route-metrics.ts'
import { bucketsOf } from '../../common/metrics/times.ts'
import { number, text, textOrNull } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import type { RequestFilter } from '../../event-store.ts'
import { readCells } from '../engine/read-cells.ts'
import { durationLists } from '../sql/duration-lists.ts'
import { isOfRoutes } from '../sql/route-keys.ts'
import type { Source } from '../sql/source.ts'
import { requestParts } from './request-parts.ts'

/** Limits the number of routes that are counted from events instead of summaries. */
const maxEventRoutes = 10_000

export async function routeRequests(source: Source, filter: RequestFilter): Promise<RouteRequests> {
  const { bucketUs } = bucketsOf(filter.window, null)
  const { count, addTo, events } = await requestParts(source, filter, { bucketUs, grouping: 'route' })
  return {
    async count() {
      const inMemory = await count()
      return events === null ? inMemory : [...inMemory, ...(await countRoutes(source, events))]
    },
    async addTo(select, routes) {
      await addTo(select)
      if (events === null) return
      const requests = sql`(FROM ${events} WHERE ${isOfRoutes(routes)})`
      const lists = await source.read(durationLists(requests, sql`0`, 'route'))
      await addCells([{ cells: await readCells(lists), times: allTimes }], select)
    },
  }
}

async function countRoutes(
  { query }: Pick<Source, 'query'>,
  events: Sql,
): Promise<(readonly [CellKey, number])[]> {
  const rows = await query(sql`
    SELECT service, method, route, count(*) AS requests FROM ${events}
    GROUP BY service, method, route ORDER BY requests DESC, service, route, method LIMIT ${maxEventRoutes}`)
  return rows.map(row => {
    const key = { service: text(row.service), method: textOrNull(row.method), route: textOrNull(row.route) }
    return [key, number(row.requests)] as const
  })
}
