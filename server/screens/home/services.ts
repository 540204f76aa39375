import { ownService } from '../../../shared/event.ts'
import type { Window } from '../../../shared/range.ts'
import type { HomeContent, ServiceRow, ServicesPage } from '../../../shared/screens/home.ts'
import type { SeenSource, ServiceMetrics } from '../../store/event-store.ts'
import { pageCountOf } from '../page-number.ts'
import { serviceStateOf } from '../service-state.ts'

/** Service states, worst first. */
const order: readonly ServiceRow['state'][] = ['failing', 'degraded', 'ok', 'silent']
/** Number of services to list. */
const listedLimit = 20
/** The higher limit if many services are failing or degraded. */
const troubledLimit = 60
/** Services per page in the list of all services. */
export const pageLimit = 250

/** Returns all known services, including silent ones that would otherwise go unnoticed. */
export function serviceRows(
  metrics: ServiceMetrics[],
  seenSources: readonly SeenSource[],
  window: Window,
): ServiceRow[] {
  const rows = new Map<string, ServiceRow>()
  for (const seen of seenSources) {
    const previousMs = rows.get(seen.service)?.lastSeenMs ?? Number.NEGATIVE_INFINITY
    rows.set(seen.service, silentRow(seen.service, Math.max(previousMs, seen.lastSeenMs)))
  }
  for (const each of metrics) rows.set(each.service, rowOf(each, window))
  return [...rows.values()].sort(
    (a, b) =>
      order.indexOf(a.state) - order.indexOf(b.state) ||
      b.failures - a.failures ||
      (b.errorRatio ?? 0) - (a.errorRatio ?? 0) ||
      (a.service < b.service ? -1 : 1),
  )
}

/** Limits the list and counts the omitted services by state. */
export function limitServices(rows: ServiceRow[]): Pick<HomeContent, 'services' | 'omitted'> {
  const troubled = rows.filter(({ state }) => state === 'failing' || state === 'degraded').length
  const listed = Math.max(listedLimit, Math.min(troubled, troubledLimit))
  const rest = rows.slice(listed)
  const omitted = order
    .map(state => ({ state, count: rest.filter(row => row.state === state).length }))
    .filter(({ count }) => count > 0)
  return { services: rows.slice(0, listed), omitted }
}

/** Returns the requested page of all services, or the last page if there are fewer pages. */
export function pageOfServices(
  rows: ServiceRow[],
  requested: number,
): Pick<HomeContent, 'services' | 'omitted'> & { page: ServicesPage } {
  const count = pageCountOf(rows.length, pageLimit)
  const number = Math.min(requested, count)
  const start = (number - 1) * pageLimit
  return {
    services: rows.slice(start, start + pageLimit),
    omitted: [],
    page: { number, count, first: start + 1, total: rows.length },
  }
}

/** Omits Sixpane itself, unless it has failures. */
export function withoutOwnService(rows: ServiceRow[]): ServiceRow[] {
  return rows.filter(({ service, failures }) => service !== ownService || failures > 0)
}

function rowOf(each: ServiceMetrics, { fromMs, toMs }: Window): ServiceRow {
  const { service, release, requests, errors, failures, p95Ms, sparkline, lastSeenMs } = each
  return {
    service,
    release,
    state: serviceStateOf(each),
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
