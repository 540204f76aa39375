import type { ServiceRow } from '../../shared/content.ts'
import type { Window } from '../../shared/range.ts'
import type { ServiceFigures, Store } from '../store/store.ts'

type LastSeen = Awaited<ReturnType<Store['lastSeen']>>

/** The worst stands first. */
const order: readonly ServiceRow['state'][] = ['failing', 'degraded', 'ok', 'silent']

/** Every service that is known, also those that have gone silent: nobody else would notice that. */
export function serviceRows(figures: ServiceFigures[], lastSeen: LastSeen, window: Window): ServiceRow[] {
  const rows = new Map<string, ServiceRow>()
  for (const seen of lastSeen) {
    const earlier = rows.get(seen.service)?.lastSeenMs ?? Number.NEGATIVE_INFINITY
    rows.set(seen.service, silentRow(seen.service, Math.max(earlier, seen.lastSeenMs)))
  }
  for (const figure of figures) rows.set(figure.service, rowOf(figure, window))
  return [...rows.values()].sort(
    (a, b) => order.indexOf(a.state) - order.indexOf(b.state) || (a.service < b.service ? -1 : 1),
  )
}

/** Whether nobody but Sixpane itself, server or browser, has sent an event yet. */
export function isOnlyOwn(lastSeen: LastSeen): boolean {
  return lastSeen.every(({ source }) => source === 'own' || source === 'browser')
}

function rowOf(figure: ServiceFigures, { fromMs, toMs }: Window): ServiceRow {
  const { service, release, requests, errors, failures, p95Ms, sparkline, lastSeenMs } = figure
  return {
    service,
    release,
    state: failures > 0 ? 'failing' : errors > 0 ? 'degraded' : 'ok',
    requestRate: requests > 0 ? requests / ((toMs - fromMs) / 1000) : null,
    errorRatio: requests > 0 ? errors / requests : null,
    p95Ms,
    failures,
    sparkline,
    lastSeenMs,
  }
}

function silentRow(service: string, lastSeenMs: number): ServiceRow {
  return {
    service,
    release: null,
    state: 'silent',
    requestRate: null,
    errorRatio: null,
    p95Ms: null,
    failures: 0,
    sparkline: [],
    lastSeenMs,
  }
}
