import type { Window } from '../../../../shared/range.ts'
import { bucketCount } from '../../buckets.ts'
import type { DescribedFailure } from '../../common/failure-list.ts'
import { maxFailureServices } from '../../common/list-limits.ts'
import { routeOf } from '../../common/route-of.ts'
import { list, number, type Row, text, textOrNull } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import { stateOf } from '../../state/failure-ids.ts'
import type { State } from '../../state/state.ts'
import { readSparkline } from '../events/services.ts'
import { bucketIn, recency } from '../sql/source.ts'
import { failureId } from './failure-id.ts'

/** Browser events contain the digest but not the cause, so other events describe a failure. */
const describes = sql`(NOT (source = 'browser' AND digest IS NOT NULL), ${recency})`

/**
 * The statement that describes failures; `readFailure` reads its rows.
 * @param occurrences which occurrences count
 */
export function describeFailures(
  state: State,
  from: Sql,
  { window, bucketMs, occurrences }: { window: Window; bucketMs: number; occurrences: Sql },
): Sql {
  return sql`
    SELECT ${failureId(state)} AS failure_id,
      countIf(${occurrences}) AS count, maxIf(time_us, ${occurrences}) AS newest_us,
      sumMapIf([${bucketIn(window, bucketMs)}], [toUInt64(1)], ${occurrences}) AS buckets,
      min(time_us) AS first_us, max(time_us) AS last_us,
      argMax((exception_type, exception_message, body, method, route, release), ${describes}) AS newest,
      maxMapIf([assumeNotNull(digest)], [${recency}], digest IS NOT NULL) AS digests_seen,
      arraySlice(arrayReverseSort((digest, seen) -> seen, digests_seen.1, digests_seen.2), 1, 5) AS digests,
      arraySort(groupUniqArray(service)) AS all_services,
      arraySlice(all_services, 1, ${maxFailureServices}) AS services, length(all_services) AS service_count
    ${from} GROUP BY failure_id`
}

/** @throws TypeError if the row lacks a column */
export function readFailure(state: State, row: Row, window: Window, bucketMs: number): DescribedFailure {
  const id = text(row.failure_id)
  const record = state.failures.get(id)
  const { resolution = null, returned = null } = record ?? {}
  const [type, message, body, method, route, release] = list(row.newest, textOrNull)
  return {
    newestMs: number(row.newest_us) / 1000,
    row: {
      id,
      state: stateOf(state, id),
      stateMs: record?.stateMs ?? null,
      ...(record !== undefined && record.stateBy !== null && { stateBy: record.stateBy }),
      mutedUntilMs: record?.mutedUntilMs ?? null,
      resolved: resolution === null ? null : { release: resolution.release, atMs: resolution.atMs },
      returned,
      type: type ?? 'Error',
      message: message ?? body ?? '',
      route: routeOf(method ?? null, route ?? null),
      release: release ?? null,
      digests: list(row.digests, text),
      services: list(row.services, text),
      serviceCount: number(row.service_count),
      count: number(row.count),
      firstSeenMs: number(row.first_us) / 1000,
      lastSeenMs: number(row.last_us) / 1000,
      sparkline: readSparkline(row.buckets, bucketCount(window, bucketMs)),
    },
  }
}
