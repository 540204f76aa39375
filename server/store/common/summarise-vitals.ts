import type { Window } from '../../../shared/range.ts'
import { type VitalName, vitalNames } from '../../../shared/vitals.ts'
import type { VitalMetrics } from '../event-store.ts'
import { compareText } from './compare-text.ts'
import { groupBy } from './group-by.ts'
import { type Sample, valuesByBucket } from './values-by-bucket.ts'

/** A metric measured on a page. */
export type VitalSample = Sample & { service: string; route: string | null; name: VitalName }

/**
 * Summarises the measurements in a window, for the routes with the most measurements.
 * @param limit the maximum number of routes
 */
export function summariseVitals(
  samples: readonly VitalSample[],
  window: Window,
  bucketMs: number,
  limit: number,
): VitalMetrics[] {
  return groupBy(samples, ({ service, route }) => [service, route])
    .sort(
      ([a, ofA], [b, ofB]) =>
        ofB.length - ofA.length || compareText(a.service, b.service) || compareText(a.route, b.route),
    )
    .slice(0, limit)
    .flatMap(([{ service, route }, ofRoute]) =>
      vitalNames.toSorted().flatMap(name => {
        const measured = ofRoute.filter(sample => sample.name === name)
        const p75 = quantile(
          measured.map(({ value }) => value),
          0.75,
        )
        if (p75 === null) return []
        const sparkline = valuesByBucket(measured, window, bucketMs).map(values => quantile(values, 0.75))
        return [{ service, route, name, count: measured.length, p75, sparkline }]
      }),
    )
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
