import { type VitalName, vitalNames } from '../../../../shared/vitals.ts'
import { bucketCount } from '../../buckets.ts'
import type { RequestFilter, VitalMetrics } from '../../event-store.ts'
import { number, text, textOrNull } from '../sql/rows.ts'
import { bucketOf, eventsOf, inWindow, type Source, untilNewest } from '../sql/source.ts'
import { join, sql } from '../sql/sql.ts'

export async function webVitals(
  source: Source,
  { window, service }: RequestFilter,
  bucketMs: number,
  limit: number,
): Promise<VitalMetrics[]> {
  const length = bucketCount(window, bucketMs)
  const ofService = service === null ? sql`true` : sql`service = ${service}`
  const knownNames = vitalNames.map(name => sql`${name}`)
  const rows = await source.queryCached(sql`
    WITH vital AS MATERIALIZED (
      SELECT service, route, ${bucketOf(window, bucketMs)} AS bucket,
        json_extract_string(attributes, '/vital/name') AS name,
        TRY_CAST(json_extract_string(attributes, '/vital/value') AS DOUBLE) AS value
      FROM ${eventsOf(source.segments.overlapping(window))}
      WHERE source IN ('browser', 'own') AND ${inWindow(untilNewest(source, window))} AND ${ofService} AND contains(attributes, '"vital":{')),
    known AS (FROM vital WHERE value >= 0 AND name IN (${join(knownNames, ', ')})),
    busiest AS (
      SELECT service, route, count(*) AS weight FROM known GROUP BY ALL ORDER BY weight DESC, service, route LIMIT ${limit})
    SELECT known.service AS service, known.route AS route, name, bucket, count(*) AS count, quantile_cont(value, 0.75) AS p75, any_value(weight) AS weight
    FROM known JOIN busiest ON known.service = busiest.service AND known.route IS NOT DISTINCT FROM busiest.route
    GROUP BY GROUPING SETS ((known.service, known.route, name), (known.service, known.route, name, bucket))
    ORDER BY weight DESC, service, route, name, bucket NULLS FIRST`)
  const metrics: VitalMetrics[] = []
  for (const row of rows) {
    const name = vitalName(row.name)
    if (row.bucket === null) {
      metrics.push({
        service: text(row.service),
        route: textOrNull(row.route),
        name,
        count: number(row.count),
        p75: number(row.p75),
        sparkline: Array.from({ length }, () => null),
      })
    } else {
      const current = metrics.at(-1)
      if (current !== undefined) current.sparkline[number(row.bucket)] = number(row.p75)
    }
  }
  return metrics
}

function vitalName(value: unknown): VitalName {
  const name = vitalNames.find(known => known === value)
  if (name === undefined) throw new TypeError('The engine returned an unknown metric')
  return name
}
