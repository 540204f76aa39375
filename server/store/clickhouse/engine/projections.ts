import { join, name, type Sql, sql } from '../../common/sql.ts'
import {
  affectedUser,
  description,
  descriptionRank,
  digestsSeen,
  failedRequest,
  grainNumber,
  grainsUs,
  type ProjectionName,
  recency,
  requestBins,
} from '../sql/expressions.ts'
import { replicaNumber } from '../sql/positions.ts'
import type { Layout } from './layout.ts'
import type { TableUpdate } from './table-update.ts'

const requests = sql`duration_band, count(), countIf(status >= 500), sumForEach(${requestBins})`

/**
 * Groups of events that ClickHouse stores with each part of the table, so that pages with long windows need not read the
 * events. When ClickHouse changes or deletes events, it updates the groups. docs/decisions/0031-projections.md explains the
 * projections. New ones are added at the end, because all servers of a cluster must have them in the same order.
 */
const projections: Readonly<Record<ProjectionName, Sql>> = {
  event_counts: sql`
    SELECT ${grainNumber(grainsUs.event_counts)} AS grain, service, source, release, severity, status, route, fingerprint,
      count(), max(time_us)
    GROUP BY grain, service, source, release, severity, status, route, fingerprint`,
  newest_ids: sql`SELECT ${replicaNumber} AS replica, max(id) GROUP BY replica`,
  failures: sql`
    SELECT fingerprint, service, source, release, count(), min(time_us), max(time_us), max(${recency}),
      argMax(${description}, ${descriptionRank}), max(${descriptionRank}), ${digestsSeen}
    GROUP BY fingerprint, service, source, release`,
  occurrences: sql`
    SELECT fingerprint, service, ${failedRequest} AS request, ${affectedUser} AS user_id, count()
    GROUP BY fingerprint, service, request, user_id`,
  service_activity: sql`
    SELECT ${grainNumber(grainsUs.service_activity)} AS grain, service, release, fingerprint, ${requests}, max(time_us)
    GROUP BY grain, service, release, fingerprint, duration_band`,
  route_durations: sql`
    SELECT ${grainNumber(grainsUs.route_durations)} AS grain, service, method, route, ${requests}
    GROUP BY grain, service, method, route, duration_band`,
}

/** The definitions of the projections, for the statement that creates the event table. */
export const projectionDefinitions: readonly Sql[] = Object.entries(projections).map(
  ([each, select]) => sql`PROJECTION ${name(each)} (${select})`,
)

/** Adds projections to the event table. */
export function addProjections(
  { storedEvents, on }: Pick<Layout, 'storedEvents' | 'on'>,
  names: readonly ProjectionName[],
): TableUpdate {
  const alter = sql`ALTER TABLE ${storedEvents} ${on}`
  const added = names.map(each => sql`ADD PROJECTION IF NOT EXISTS ${name(each)} (${projections[each]})`)
  const filled = names.map(each => sql`MATERIALIZE PROJECTION IF EXISTS ${name(each)}`)
  return { changes: [sql`${alter} ${join(added, ', ')}`], fills: [sql`${alter} ${join(filled, ', ')}`] }
}

/** Drops projections of an earlier version. */
export function dropProjections(
  { storedEvents, on }: Pick<Layout, 'storedEvents' | 'on'>,
  names: readonly string[],
): TableUpdate {
  const dropped = names.map(each => sql`DROP PROJECTION IF EXISTS ${name(each)}`)
  return { changes: [sql`ALTER TABLE ${storedEvents} ${on} ${join(dropped, ', ')}`] }
}
