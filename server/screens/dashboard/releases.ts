import type { DashboardSelection } from '../../../shared/screens/dashboard.ts'
import type { Marker } from '../../charts/markers.ts'
import type { KnownRelease } from '../../store/event-store.ts'

/** Returns chart markers for new releases. The label includes the service, unless only one service is shown. */
export function releaseMarkers(starts: readonly KnownRelease[], shown: string | null): Marker[] {
  return starts.map(({ service, release, firstSeenMs }) => ({
    ms: firstSeenMs,
    label: shown === null ? `${service} ${release}` : release,
    tooltip: `${service} ${release} first seen`,
  }))
}

export function releaseRows(starts: readonly KnownRelease[]): DashboardSelection['releases'] {
  return starts.map(({ service, release, firstSeenMs }) => ({ service, release, atMs: firstSeenMs }))
}
