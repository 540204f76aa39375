import type { DashboardContent } from '../../../shared/content.ts'
import type { DashboardView } from '../../../shared/paths.ts'

/** What the URL of this view says. */
export function view({ service, range, sort }: DashboardContent): DashboardView {
  return { service: service ?? undefined, range, sort: sort === 'slowest' ? undefined : sort }
}

/** The same but for the range, as fields of a form that gives another range. */
export function hiddenFields({ service, sort }: DashboardView): Record<string, string> {
  return { ...(service === undefined ? {} : { service }), ...(sort === undefined ? {} : { sort }) }
}
