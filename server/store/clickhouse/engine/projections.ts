import { join, name, type Sql, sql } from '../../common/sql.ts'
import {
  binFromMs,
  description,
  descriptionRank,
  digestsSeen,
  eventGrainUs,
  grainNumber,
  recency,
  requestGrainUs,
  routeGrainUs,
} from '../sql/expressions.ts'
import { replicaNumber } from '../sql/positions.ts'
import type { Layout } from './layout.ts'

const requests = sql`${binFromMs} AS bin_from_ms, count(), countIf(status >= 500)`

/**
 * Groups of events that ClickHouse stores with each part of the table, so that pages of long windows need not read the events.
 * It updates them when it changes or deletes events. docs/decisions/0031-projections.md explains them.
 */
const projections: Readonly<Record<string, Sql>> = {
  event_counts: sql`
    SELECT ${grainNumber(eventGrainUs)} AS grain, service, source, release, severity, status, route, fingerprint,
      count(), max(time_us)
    GROUP BY grain, service, source, release, severity, status, route, fingerprint`,
  requests_by_service: sql`
    SELECT ${grainNumber(requestGrainUs)} AS grain, service, ${requests} GROUP BY grain, service, bin_from_ms`,
  requests_by_route: sql`
    SELECT ${grainNumber(routeGrainUs)} AS grain, service, method, route, ${requests}
    GROUP BY grain, service, method, route, bin_from_ms`,
  newest_ids: sql`SELECT ${replicaNumber} AS replica, max(id) GROUP BY replica`,
  failures: sql`
    SELECT fingerprint, service, source, release, count(), min(time_us), max(time_us), max(${recency}),
      argMax(${description}, ${descriptionRank}), max(${descriptionRank}), ${digestsSeen}
    GROUP BY fingerprint, service, source, release`,
}

/** The definitions of the projections in a statement that creates the table of events. */
export const projectionDefinitions: readonly Sql[] = Object.entries(projections).map(
  ([each, select]) => sql`PROJECTION ${name(each)} (${select})`,
)

/** The statements that add the projections to a table, also for events that are stored already. */
export function addProjections({ storedEvents, on }: Pick<Layout, 'storedEvents' | 'on'>): Sql[] {
  const alter = sql`ALTER TABLE ${storedEvents} ${on}`
  const added = Object.entries(projections).map(
    ([each, select]) => sql`ADD PROJECTION IF NOT EXISTS ${name(each)} (${select})`,
  )
  const filled = Object.keys(projections).map(each => sql`MATERIALIZE PROJECTION IF EXISTS ${name(each)}`)
  return [sql`${alter} ${join(added, ', ')}`, sql`${alter} ${join(filled, ', ')}`]
}
