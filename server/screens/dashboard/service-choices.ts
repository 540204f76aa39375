import type { DashboardOverview } from '../../../shared/screens/dashboard.ts'
import type { ServiceMetrics } from '../../store/event-store.ts'

type Choice = DashboardOverview['services'][number]

/** Returns the services that the visitor can select, worst first. Adds the selected one even if it has no events. */
export function serviceChoices(
  services: readonly ServiceMetrics[],
  selected: string | null,
  limit: number,
): Choice[] {
  const choices = services
    .toSorted(
      (a, b) => b.failures - a.failures || ratioOf(b) - ratioOf(a) || (a.service < b.service ? -1 : 1),
    )
    .slice(0, limit)
    .map(each => ({ service: each.service, state: stateOf(each) }))
  return selected === null || choices.some(({ service }) => service === selected)
    ? choices
    : [...choices, { service: selected, state: 'ok' }]
}

function stateOf({ failures, errors }: ServiceMetrics): Choice['state'] {
  return failures > 0 ? 'failing' : errors > 0 ? 'degraded' : 'ok'
}

function ratioOf({ requests, errors }: ServiceMetrics): number {
  return requests === 0 ? 0 : errors / requests
}
