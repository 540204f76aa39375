import { vitalNames } from '../../../../shared/vitals.ts'
import { bucketCount } from '../../buckets.ts'
import { groupBy } from '../../common/group-by.ts'
import { rankSessions } from '../../common/rank-sessions.ts'
import { list, number, numberOrNull, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import { summariseVitals } from '../../common/summarise-vitals.ts'
import type { RequestFilter, SessionCounts, VitalMetrics } from '../../event-store.ts'
import { attributeNumber, attributeText } from '../sql/attribute.ts'
import { bucketIn, inWindow, ofService, type Source } from '../sql/source.ts'
import { textList } from '../sql/text-list.ts'

/** A greater number is not a measurement. */
const maxValue = 1e9

export async function webVitals(
  { select, events }: Source,
  filter: RequestFilter,
  bucketMs: number,
  limit: number,
): Promise<VitalMetrics[]> {
  const length = bucketCount(filter.window, bucketMs)
  const vital = attributeText('vital.name')
  // ClickHouse reads attributes only for events from these sources. If the attributes were in conditions, ClickHouse would
  // read them for all events.
  const rows = await select(sql`
    SELECT service, route, if(${vital} IN ${textList(vitalNames)}, ${vital}, NULL) AS vital,
      ${bucketIn(filter.window, bucketMs)} AS bucket,
      groupArrayIf(${attributeNumber('vital.value')} AS value, value BETWEEN 0 AND ${maxValue}) AS numbers
    ${events} AND ${inWindow(filter.window)} AND ${ofService(filter)} AND source IN ('browser', 'own', 'sentry')
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
  { select, events }: Source,
  filter: RequestFilter,
  limit: number,
): Promise<SessionCounts[]> {
  const sumOf = (path: string) => {
    const value = attributeNumber(path)
    return sql`sumOrNullIf(${value}, ${value} > 0 AND ${value} <= ${maxValue})`
  }
  const rows = await select(sql`
    SELECT service, release, ${sumOf('sessions.started')} AS started, ${sumOf('sessions.crashed')} AS crashed
    ${events} AND ${inWindow(filter.window)} AND ${ofService(filter)} AND source = 'sentry' GROUP BY service, release`)
  const sums = rows.flatMap(row =>
    ['started', 'crashed'].flatMap(name => {
      const sum = numberOrNull(row[name])
      return sum === null ? [] : { service: text(row.service), release: textOrNull(row.release), name, sum }
    }),
  )
  return rankSessions(sums, limit)
}
