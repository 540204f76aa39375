import { type VitalName, vitalNames } from '../../../shared/vitals.ts'
import type { VitalMetrics } from '../event-store.ts'
import { compareText } from './compare-text.ts'
import { groupBy } from './group-by.ts'

/** A route's measurements of one metric in a window, by bucket. */
export type MeasuredVital = {
  service: string
  route: string | null
  name: VitalName
  values: readonly number[][]
}

/**
 * Summarises the Web Vitals of the routes with the most measurements.
 * @param limit the maximum number of routes
 */
export function summariseVitals(measured: readonly MeasuredVital[], limit: number): VitalMetrics[] {
  return groupBy(measured, ({ service, route }) => [service, route])
    .map(([first, vitals]) => ({
      first,
      vitals,
      count: vitals.reduce((sum, each) => sum + countOf(each), 0),
    }))
    .filter(({ count }) => count > 0)
    .sort(
      (a, b) =>
        b.count - a.count ||
        compareText(a.first.service, b.first.service) ||
        compareText(a.first.route, b.first.route),
    )
    .slice(0, limit)
    .flatMap(({ first: { service, route }, vitals }) =>
      vitalNames.toSorted().flatMap(name => {
        const vital = vitals.find(each => each.name === name)
        const p75 = vital === undefined ? null : quantile(vital.values.flat(), 0.75)
        if (vital === undefined || p75 === null) return []
        const sparkline = vital.values.map(values => quantile(values, 0.75))
        return [{ service, route, name, count: countOf(vital), p75, sparkline }]
      }),
    )
}

function countOf({ values }: MeasuredVital): number {
  return values.reduce((sum, { length }) => sum + length, 0)
}

/** Interpolates between neighbouring values. Returns `null` if there are none. */
function quantile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const position = (sorted.length - 1) * share
  const below = sorted[Math.floor(position)]
  const above = sorted[Math.ceil(position)]
  if (below === undefined || above === undefined) return null
  return below + (above - below) * (position - Math.floor(position))
}
