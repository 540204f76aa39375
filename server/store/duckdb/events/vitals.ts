import { type VitalName, vitalNames } from '../../../../shared/vitals.ts'
import { bucketCount } from '../../buckets.ts'
import { ofServices } from '../../common/of-services.ts'
import { number, text, textOrNull } from '../../common/rows.ts'
import { selectsService } from '../../common/selects-service.ts'
import { join, sql } from '../../common/sql.ts'
import { type MeasuredVital, summariseVitals } from '../../common/summarise-vitals.ts'
import type { RequestFilter, VitalMetrics } from '../../event-store.ts'
import { bucketOf, type Source, untilNewest } from '../sql/source.ts'
import { hasVisitorSample, visitorSampleKeys, visitorSamples } from './visitor-samples.ts'
import { visitSamples } from './window-samples.ts'

export async function webVitals(
  source: Source,
  filter: RequestFilter,
  bucketMs: number,
  limit: number,
): Promise<VitalMetrics[]> {
  const { window } = filter
  const length = bucketCount(window, bucketMs)
  const valuesOf = new Map<string, number[][]>()
  const isVisited = await visitSamples(
    source,
    window,
    bucketMs,
    { select: async day => visitorSampleKeys(source, day), hasSample: hasVisitorSample },
    (key, bucket, value) => {
      const values = valuesOf.get(key) ?? Array.from({ length }, (): number[] => [])
      valuesOf.set(key, values)
      values[bucket]?.push(value)
    },
  )
  if (!isVisited) return readMetrics(source, filter, bucketMs, limit)
  const measured = Array.from(valuesOf).flatMap(([key, values]) => {
    const vital = parseKey(key)
    return vital === null ? [] : { ...vital, values }
  })
  return summariseVitals(
    measured.filter(vital => selectsService(filter, vital.service)),
    limit,
  )
}

/** Returns `null` for a sample that is not a Web Vital. */
function parseKey(key: string): Omit<MeasuredVital, 'values'> | null {
  const parts: unknown = JSON.parse(key)
  if (!Array.isArray(parts)) throw new TypeError('Expected a list from the engine')
  const name = vitalNames.find(known => known === parts[2])
  return name === undefined ? null : { service: text(parts[0]), route: textOrNull(parts[1]), name }
}

/** Like `summariseVitals`, but the engine computes the result. */
async function readMetrics(
  source: Source,
  { window, ...services }: RequestFilter,
  bucketMs: number,
  limit: number,
): Promise<VitalMetrics[]> {
  const length = bucketCount(window, bucketMs)
  const knownNames = vitalNames.map(name => sql`${name}`)
  const rows = await source.queryCached(sql`
    WITH known AS MATERIALIZED (
      SELECT service, part AS route, ${bucketOf(window, bucketMs)} AS bucket, name, value
      FROM ${visitorSamples(source, untilNewest(source, window))}
      WHERE ${ofServices(services)} AND name IN (${join(knownNames, ', ')})),
    busiest AS (
      SELECT service, route, count(*) AS weight FROM known GROUP BY ALL ORDER BY weight DESC, service, route LIMIT ${limit})
    SELECT known.service AS service, known.route AS route, name, bucket, count(*) AS count, quantile_cont(value, 0.75) AS p75, any_value(weight) AS weight
    FROM known JOIN busiest ON known.service = busiest.service AND known.route IS NOT DISTINCT FROM busiest.route
    GROUP BY GROUPING SETS ((known.service, known.route, name), (known.service, known.route, name, bucket))
    ORDER BY weight DESC, service, route, name, bucket NULLS FIRST`)
  const metrics: VitalMetrics[] = []
  for (const row of rows) {
    if (row.bucket === null) {
      metrics.push({
        service: text(row.service),
        route: textOrNull(row.route),
        name: vitalName(row.name),
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
