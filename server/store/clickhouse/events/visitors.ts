import type { EventSource } from '../../../../shared/event.ts'
import { vitalNames } from '../../../../shared/vitals.ts'
import { bucketCount } from '../../buckets.ts'
import { groupBy } from '../../common/group-by.ts'
import { ofServices } from '../../common/of-services.ts'
import { rankSessions } from '../../common/rank-sessions.ts'
import { list, number, numberOrNull, text, textOrNull } from '../../common/rows.ts'
import { selectsService } from '../../common/selects-service.ts'
import { type Sql, sql } from '../../common/sql.ts'
import { summariseVitals } from '../../common/summarise-vitals.ts'
import { microsOf } from '../../common/time.ts'
import type { RequestFilter, SessionCounts, VitalMetrics } from '../../event-store.ts'
import { attributeNumber, attributeText } from '../sql/attribute.ts'
import { bucketIn, inWindow, type Source } from '../sql/source.ts'
import { textList } from '../sql/text-list.ts'

/** Greater values are not plausible measurements. */
const maxValue = 1e9

/** Selects the matching events from these sources. */
function fromSources(
  { events }: Pick<Source, 'events'>,
  filter: RequestFilter,
  sources: readonly EventSource[],
): Sql {
  const isFrom = sql`${ofServices(filter)} AND source IN ${textList(sources)}`
  return sql`${events} AND ${inWindow(filter.window)} AND ${isFrom}`
}

/**
 * Whether any event from these sources may be in the window. Their attributes are read only in this case. Also true if this
 * is unknown.
 */
async function hasAny(
  { serviceTimes }: Pick<Source, 'serviceTimes'>,
  filter: RequestFilter,
  names: readonly EventSource[],
): Promise<boolean> {
  // If this query fails, the caller's own query may still succeed.
  const times = await serviceTimes().catch(() => null)
  if (times === null) return true
  const fromUs = microsOf(filter.window.fromMs)
  const isIn = (times: { lastUs: number } | undefined) => times !== undefined && times.lastUs >= fromUs
  return [...times.sources].some(
    ([service, bySource]) =>
      selectsService(filter, service) && names.some(source => isIn(bySource.get(source))),
  )
}

const vitalSources: readonly EventSource[] = ['browser', 'own', 'sentry']
const sessionSources: readonly EventSource[] = ['sentry']

export async function webVitals(
  source: Source,
  filter: RequestFilter,
  bucketMs: number,
  limit: number,
): Promise<VitalMetrics[]> {
  if (!(await hasAny(source, filter, vitalSources))) return []
  const length = bucketCount(filter.window, bucketMs)
  const vital = attributeText('vital.name')
  // ClickHouse reads attributes only for events from these sources. If the attributes were in conditions, ClickHouse would
  // read them for all events.
  const rows = await source.select(sql`
    SELECT service, route, if((${vital} AS name) IN ${textList(vitalNames)}, name, NULL) AS vital,
      ${bucketIn(filter.window, bucketMs)} AS bucket,
      groupArrayIf(${attributeNumber('vital.value')} AS value, value BETWEEN 0 AND ${maxValue}) AS numbers
    ${fromSources(source, filter, vitalSources)}
    GROUP BY service, route, vital, bucket`)
  const measured = groupBy(rows, ({ service, route, vital }) => [service, route, vital]).flatMap(
    ([row, ofSeries]) => {
      const name = vitalNames.find(known => known === row.vital)
      if (name === undefined) return []
      const byBucket = new Map(ofSeries.map(({ bucket, numbers }) => [number(bucket), list(numbers, number)]))
      const values = Array.from({ length }, (_, bucket) => byBucket.get(bucket) ?? [])
      return { service: text(row.service), route: textOrNull(row.route), name, values }
    },
  )
  return summariseVitals(measured, limit)
}

export async function sessions(
  source: Source,
  filter: RequestFilter,
  limit: number,
): Promise<SessionCounts[]> {
  if (!(await hasAny(source, filter, sessionSources))) return []
  // Without the alias, ClickHouse would analyse the long expression of the value three times.
  const sumOf = (path: string, alias: Sql) =>
    sql`sumOrNullIf(${attributeNumber(path)} AS ${alias}, ${alias} > 0 AND ${alias} <= ${maxValue})`
  const rows = await source.select(sql`
    SELECT service, release,
      ${sumOf('sessions.started', sql`sessions_started`)} AS started,
      ${sumOf('sessions.crashed', sql`sessions_crashed`)} AS crashed
    ${fromSources(source, filter, sessionSources)}
    GROUP BY service, release`)
  const sums = rows.flatMap(row =>
    ['started', 'crashed'].flatMap(name => {
      const sum = numberOrNull(row[name])
      return sum === null ? [] : { service: text(row.service), release: textOrNull(row.release), name, sum }
    }),
  )
  return rankSessions(sums, limit)
}
