import type { FailureRow } from '../../../../shared/failure.ts'
import type { Window } from '../../../../shared/range.ts'
import { bucketCount } from '../../buckets.ts'
import { maxRowLength } from '../../common/cut.ts'
import { maxFailureServices } from '../../common/list-limits.ts'
import { routeOf } from '../../common/route-of.ts'
import { list, number, type Row, text, textOrNull } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import { stateFields } from '../../state/failure-row.ts'
import type { State } from '../../state/state.ts'
import { readSparkline } from '../events/services.ts'
import { eventGroups } from '../sql/event-groups.ts'
import { description, descriptionRank, digestsSeen, preferProjection } from '../sql/expressions.ts'
import type { Source } from '../sql/source.ts'
import { failureId } from './failure-id.ts'

/** The maximum number of digests in a failure's row. The row contains the most recent ones. */
const maxDigests = 5

/**
 * A subquery that groups the occurrences of failures in a window by service, fingerprint and bucket, with the columns
 * `events` and `last_us`.
 * @param condition selects occurrences by service or fingerprint
 */
export function occurrences(
  source: Pick<Source, 'events'>,
  { window, bucketMs, condition }: { window: Window; bucketMs: number | null; condition: Sql },
): Sql {
  return eventGroups(source, {
    window,
    bucketMs,
    projection: 'event_counts',
    ofLongWindows: 'service_activity',
    keys: [sql`service`, sql`fingerprint`],
    values: ['events', 'last_us'],
    condition: sql`fingerprint IS NOT NULL AND ${condition}`,
  })
}

/**
 * A query that describes failures by all their stored events.
 * @param condition selects the failures by fingerprint
 * @param cutsMessages whether to shorten messages as `cut` does
 */
export function describeFailures(
  state: State,
  { events }: Pick<Source, 'events'>,
  { condition, cutsMessages = false }: { condition: Sql; cutsMessages?: boolean },
): Sql {
  const message = sql`coalesce(described_by.2, described_by.3)`
  const sentMessage = cutsMessages ? sql`leftUTF8(${message}, ${maxRowLength})` : message
  return sql`
    SELECT ${failureId(state)} AS failure_id, min(first_us) AS first_us_of_all, max(last_us) AS last_us_of_all,
      ((argMax(description, rank) AS described_by).1, ${sentMessage}, described_by.4, described_by.5, described_by.6) AS newest,
      maxMap(digests_seen) AS all_digests,
      arraySlice(arrayReverseSort((digest, seen) -> seen, all_digests.1, all_digests.2), 1, ${maxDigests}) AS digests,
      length(all_digests.1) AS digest_count,
      arraySort(groupUniqArray(service)) AS all_services,
      arraySlice(all_services, 1, ${maxFailureServices}) AS services, length(all_services) AS service_count
    FROM (
      SELECT fingerprint, service, min(time_us) AS first_us, max(time_us) AS last_us,
        argMax(${description}, ${descriptionRank}) AS description, max(${descriptionRank}) AS rank,
        ${digestsSeen} AS digests_seen
      ${events} AND fingerprint IS NOT NULL AND ${condition} GROUP BY fingerprint, service ${preferProjection('failures')}
    ) GROUP BY failure_id`
}

/**
 * A query that counts the occurrences of failures in a window. `services_in_window` lists the services of all occurrences.
 * @param found the result of `occurrences`
 * @param isCounted selects the occurrences that are counted
 */
export function countOccurrences(state: State, found: Sql, isCounted: Sql = sql`true`): Sql {
  return sql`
    SELECT ${failureId(state)} AS failure_id, sumIf(events, ${isCounted}) AS count, maxIf(last_us, ${isCounted}) AS newest_us,
      sumMapIf([bucket], [events], ${isCounted}) AS buckets, groupUniqArray(service) AS services_in_window
    FROM ${found} GROUP BY failure_id`
}

/** The counts of a failure without occurrences in the window. */
export const noOccurrences: Row = { count: 0, newest_us: 0, buckets: [] }

/**
 * @param row the columns of both queries
 * @throws TypeError if the row lacks a column
 */
export function readFailure(
  state: State,
  row: Row,
  window: Window,
  bucketMs: number,
): { row: FailureRow; newestMs: number } {
  const id = text(row.failure_id)
  const [type, message, method, route, release] = list(row.newest, textOrNull)
  return {
    newestMs: number(row.newest_us) / 1000,
    row: {
      id,
      ...stateFields(state.failures.get(id)),
      type: type ?? 'Error',
      message: message ?? '',
      route: routeOf(method ?? null, route ?? null),
      release: release ?? null,
      digests: list(row.digests, text),
      digestCount: number(row.digest_count),
      services: list(row.services, text),
      serviceCount: number(row.service_count),
      count: number(row.count),
      firstSeenMs: number(row.first_us_of_all) / 1000,
      lastSeenMs: number(row.last_us_of_all) / 1000,
      sparkline: readSparkline(row.buckets, bucketCount(window, bucketMs)),
    },
  }
}
