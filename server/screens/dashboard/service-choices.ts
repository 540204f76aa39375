import type { DashboardOverview } from '../../../shared/screens/dashboard.ts'
import type { ServiceMetrics } from '../../store/event-store.ts'
import { serviceStateOf } from '../service-state.ts'

type Choice = DashboardOverview['services'][number]

/** Worst first. */
const order: readonly Choice['state'][] = ['failing', 'degraded', 'ok']

/**
 * Returns the services that the visitor can select, worst first, but those without requests last. Adds the selected service
 * even if it has no events.
 */
export function serviceChoices(
  services: readonly ServiceMetrics[],
  selected: string | null,
  limit: number,
): Choice[] {
  const all = services
    .map(each => ({ ...each, state: serviceStateOf(each) }))
    .sort(
      (a, b) =>
        Number(b.requests > 0) - Number(a.requests > 0) ||
        order.indexOf(a.state) - order.indexOf(b.state) ||
        b.failures - a.failures ||
        ratioOf(b) - ratioOf(a) ||
        (a.service < b.service ? -1 : 1),
    )
    .map(({ service, state }): Choice => ({ service, state }))
  const choices = all.slice(0, limit)
  if (selected === null || choices.some(({ service }) => service === selected)) return choices
  return [...choices, all.find(({ service }) => service === selected) ?? { service: selected, state: 'ok' }]
}

function ratioOf({ requests, errors }: ServiceMetrics): number {
  return requests === 0 ? 0 : errors / requests
}
