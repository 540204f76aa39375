import type { DashboardOverview } from '../../../shared/screens/dashboard.ts'
import { ratingOf } from '../../../shared/vitals.ts'
import type { VitalMetrics } from '../../store/event-store.ts'
import { roundForDisplay } from '../round-for-display.ts'

/** Returns one row per service and route, with the reported metrics. */
export function vitalRows(metrics: readonly VitalMetrics[]): DashboardOverview['vitals'] {
  const rows: DashboardOverview['vitals'] = []
  for (const { service, route, name, count, p75, sparkline } of metrics) {
    let row = rows.find(each => each.service === service && each.route === route)
    if (row === undefined) {
      row = { service, route, metrics: [] }
      rows.push(row)
    }
    row.metrics.push({
      name,
      p75: roundForDisplay(p75),
      rating: ratingOf(name, p75),
      count,
      // Rounding to three digits does not change the line, but makes the page smaller.
      sparkline: sparkline.map(value => Number((value ?? 0).toPrecision(3))),
    })
  }
  return rows
}
