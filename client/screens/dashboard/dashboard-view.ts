import type { PlotMarker } from '../../../shared/chart-plot.ts'
import type { DashboardView } from '../../../shared/paths.ts'
import type { DashboardSelection } from '../../../shared/screens/dashboard.ts'
import { plainText } from '../../components/plain-text.ts'

/** The URL parameters of the current view. */
export function viewOf({
  service,
  range,
  sort,
  compare,
}: Pick<DashboardSelection, 'service' | 'range' | 'sort' | 'compare'>): DashboardView {
  return {
    service: service ?? undefined,
    range,
    sort: sort === 'slowest' ? undefined : sort,
    compare: compare ? undefined : 'off',
  }
}

/** The chart markers for new releases. */
export function releaseMarkers({ releases }: Pick<DashboardSelection, 'releases'>): PlotMarker[] {
  return releases.map(({ service, release, atMs }) => ({
    ms: atMs,
    text: `${plainText(service)} ${plainText(release)} first seen`,
  }))
}
