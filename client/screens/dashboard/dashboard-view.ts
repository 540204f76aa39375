import type { DashboardView } from '../../../shared/paths.ts'
import type { DashboardContent } from '../../../shared/screens/dashboard.ts'

/** What the URL of this view says. */
export function viewOf({ service, range, sort, compare }: DashboardContent): DashboardView {
  return {
    service: service ?? undefined,
    range,
    sort: sort === 'slowest' ? undefined : sort,
    compare: compare ? undefined : 'off',
  }
}

/** The same but for the range, as fields of a form that gives another range. */
export function hiddenFields({ service, sort, compare }: DashboardView): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ service, sort, compare }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
}
