import { paths } from '../../../shared/paths.ts'
import { quoted } from '../../../shared/query.ts'
import type { Window } from '../../../shared/range.ts'
import type { DashboardContent } from '../../../shared/screens/dashboard.ts'
import { ratingOf } from '../../../shared/vitals.ts'
import type { VitalMetrics } from '../../store/event-store.ts'

/** A row for each route, with what is known of it. */
export function vitalRows(figures: readonly VitalMetrics[], window: Window): DashboardContent['vitals'] {
  const rows: DashboardContent['vitals'] = []
  for (const { service, route, name, count, p75, sparkline } of figures) {
    let row = rows.find(each => each.service === service && each.route === route)
    if (row === undefined) {
      row = { service, route, metrics: [] }
      rows.push(row)
    }
    const whose = `service:${quoted(service)} ${route === null ? '-route:*' : `route:${quoted(route)}`}`
    const q = `${whose} vital.name:${name} vital.value:>=0 (source:browser OR source:own)`
    row.metrics.push({
      name,
      p75,
      rating: ratingOf(name, p75),
      count,
      // Three digits draw the same line.
      sparkline: sparkline.map(value => Number((value ?? 0).toPrecision(3))),
      eventsHref: paths.activities({ q, range: window }),
    })
  }
  return rows
}
