import type { DashboardView } from '../../../shared/paths.ts'
import type { DashboardSelection } from '../../../shared/screens/dashboard.ts'

/** The URL parameters of the current view. */
export function viewOf({ service, range, sort, compare }: DashboardSelection): DashboardView {
  return {
    service: service ?? undefined,
    range,
    sort: sort === 'slowest' ? undefined : sort,
    compare: compare ? undefined : 'off',
  }
}

/** The view without its range, as hidden fields for the range picker. */
export function hiddenFields({ service, sort, compare }: DashboardView): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ service, sort, compare }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
}
