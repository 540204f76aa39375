import type { FailureRow } from '../../../../shared/failure.ts'
import { maxRowLength } from '../../common/cut.ts'
import { maxFailureServices } from '../../common/list-limits.ts'
import type { Occurrences } from '../../common/metrics/count-occurrences.ts'
import type { FailureIndex } from '../../common/metrics/failure-index.ts'
import type { FailureReader } from '../../common/metrics/failures.ts'
import { routeOf } from '../../common/route-of.ts'
import { list, number, type Row, text, textOrNull } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import { stateFields } from '../../state/failure-row.ts'
import { description, descriptionRank, digestsSeen, preferProjection } from '../sql/expressions.ts'
import type { Source } from '../sql/source.ts'
import { textList } from '../sql/text-list.ts'
import { failureId } from './failure-id.ts'

/** The maximum number of digests in a failure's row. The row contains the most recent ones. */
const maxDigests = 5
/** If more failures are described, the query reads all failures, because a long list of fingerprints would be slow. */
const maxListed = 1000

/** See `FailureReader`. */
export async function describeFailures(
  source: Pick<Source, 'events' | 'selectOfFailures' | 'read'>,
  ...[index, occurrences, { cutsMessages }]: Parameters<FailureReader['describe']>
): Promise<Map<string, FailureRow>> {
  if (occurrences.length === 0) return new Map()
  const rows = await source.selectOfFailures(describingQuery(source, index, occurrences, cutsMessages))
  const rowOf = new Map(rows.map(row => [text(row.failure_id), row]))
  return source.read(
    ({ failures }) =>
      new Map(
        occurrences.flatMap(found => {
          const row = rowOf.get(found.id)
          if (row === undefined) return []
          const failure = { ...readRow(row, found), ...stateFields(failures.get(found.id)) }
          return [[found.id, failure] as const]
        }),
      ),
  )
}

function describingQuery(
  { events }: Pick<Source, 'events'>,
  index: FailureIndex,
  occurrences: readonly Occurrences[],
  cutsMessages: boolean,
): Sql {
  const listed = occurrences.flatMap(({ id }) =>
    index.fingerprintsOf(id).map(fingerprint => [fingerprint, id] as const),
  )
  const isListed =
    listed.length > maxListed
      ? sql`true`
      : sql`fingerprint IN ${textList(listed.map(([fingerprint]) => fingerprint))}`
  const message = sql`coalesce(described_by.2, described_by.3)`
  const sentMessage = cutsMessages ? sql`leftUTF8(${message}, ${maxRowLength})` : message
  return sql`
    SELECT ${failureId(listed)} AS failure_id, min(first_us) AS first_us_of_all, max(last_us) AS last_us_of_all,
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
      ${events} AND fingerprint IS NOT NULL AND ${isListed} GROUP BY fingerprint, service ${preferProjection('failures')}
    ) GROUP BY failure_id`
}

function readRow(
  row: Row,
  { id, count, sparkline }: Occurrences,
): Omit<FailureRow, keyof ReturnType<typeof stateFields>> {
  const [type, message, method, route, release] = list(row.newest, textOrNull)
  return {
    id,
    type: type ?? 'Error',
    message: message ?? '',
    route: routeOf(method ?? null, route ?? null),
    release: release ?? null,
    digests: list(row.digests, text),
    digestCount: number(row.digest_count),
    services: list(row.services, text),
    serviceCount: number(row.service_count),
    count,
    firstSeenMs: number(row.first_us_of_all) / 1000,
    lastSeenMs: number(row.last_us_of_all) / 1000,
    sparkline,
  }
}
