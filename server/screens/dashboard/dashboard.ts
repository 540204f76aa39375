import { ownService } from '../../../shared/event.ts'
import { parseRange } from '../../../shared/parse-range.ts'
import { spanLengthMs, type Window } from '../../../shared/range.ts'
import {
  type DashboardChartId,
  type DashboardSelection,
  dashboardCharts,
  maxRoutes,
  routeSorts,
} from '../../../shared/screens/dashboard.ts'
import type { User } from '../../../shared/user.ts'
import type { Context } from '../../context.ts'
import { bucketCount } from '../../store/buckets.ts'
import { selectsService } from '../../store/common/selects-service.ts'
import type { RouteCounts } from '../../store/event-store.ts'
import { divideIntoBuckets } from '../buckets.ts'
import { isStoredSince } from '../is-stored-since.ts'
import { pageCountOf, pageNumberOf } from '../page-number.ts'
import { defineScreen, type Presentation, type ScreenRequest } from '../screen.ts'
import { type RequestHistory, requestCharts, requestTable, timesOf } from './charts.ts'
import { latencyMap, latencyTable } from './latency.ts'
import { releaseMarkers, releaseRows } from './releases.ts'
import { isComparable, metricsOf, routeRows } from './request-metrics.ts'
import { selfMetrics } from './self-metrics.ts'
import { serviceChoices } from './service-choices.ts'
import { vitalRows } from './web-vitals.ts'

/** Maximum number of services that the visitor can choose from. */
const servicesLimit = 200
/** The maximum number of points in the small charts of Web Vitals and of Sixpane's own metrics. */
const maxPoints = 30
const routesLimit = 20
/** More release markers would hide the chart. */
const releasesLimit = 12
/** Routes per page in the list of all routes. */
const routesPerPage = 50
/** The earliest time that ECMAScript can represent. */
const firstMs = -8.64e15

type Params = Omit<DashboardSelection, 'releases'> & {
  bucketMs: number
  /** The time between two points in the small charts. */
  pointMs: number
  /** The chart to show with its table, or the list of all routes; `null` for the whole dashboard. */
  table: DashboardChartId | 'routes' | null
  page: number
}

/**
 * The dashboard: request rates, errors and latency, over time and by route. “All services” leaves out Sixpane itself, as the
 * log does, so that each number equals the number of events that its link lists.
 */
export const dashboard = defineScreen({
  id: 'dashboard',

  parse({ params, preferences, nowMs }): Params {
    const range = parseRange(params, preferences, nowMs)
    const { window, bucketMs } = divideIntoBuckets(range, nowMs)
    const { fromMs, toMs } = window
    const { bucketMs: pointMs } = divideIntoBuckets(range, nowMs, maxPoints)
    return {
      range,
      // A range that ends in the future would be compared with a complete previous period.
      window: { fromMs, toMs: fromMs < nowMs ? Math.min(toMs, nowMs) : toMs },
      bucketMs,
      pointMs,
      service: params.get('service') || null,
      sort: routeSorts.find(each => each === params.get('sort')) ?? 'slowest',
      compare: params.get('compare') !== 'off',
      table: [...dashboardCharts, 'routes' as const].find(each => each === params.get('table')) ?? null,
      page: pageNumberOf(params),
    }
  },

  async load(params, { signal, user, nowMs }, context) {
    const { window, bucketMs, service, compare, table } = params
    const { store, settings } = context
    if (table === 'routes') return { routes: await loadRoutes(params, context, signal) }
    const before = previousWindow(params)
    const [series, seriesBefore, seen, starts, overview] = await Promise.all([
      store.requestSeries({ window, service, except: ownService }, bucketMs, signal),
      compare || table === null
        ? store.requestSeries({ window: before, service, except: ownService }, bucketMs, signal)
        : null,
      store.seenSources(signal),
      store.releaseStarts({ window, service, except: ownService }, signal),
      table === null ? loadOverview(params, context, { signal, user }) : null,
    ])
    const seenSources = seen.filter(each => selectsService({ service, except: ownService }, each.service))
    const isBeforeStored = isStoredSince(before.fromMs, { seenSources, settings, nowMs })
    return { series, seriesBefore: isBeforeStored ? seriesBefore : null, isBeforeStored, starts, overview }
  },

  present(data, params, { preferences, nowMs }) {
    const { range, window, bucketMs, service, sort, compare, table } = params
    if ('routes' in data) return presentRoutes(data.routes, params)
    const { series, seriesBefore, isBeforeStored, starts, overview } = data
    const windowBefore = previousWindow(params)
    const comparable = seriesBefore !== null && isComparable(series, seriesBefore) ? seriesBefore : null
    const releases = starts.slice(0, releasesLimit)
    const filter = service === null ? {} : { service }
    const history: RequestHistory = {
      buckets: series.buckets,
      window,
      before: compare && comparable ? { buckets: comparable.buckets, window: windowBefore } : null,
      markers: releaseMarkers(releases, service),
      bucketMs,
      nowMs,
      clock: preferences,
      filter,
      view: { service: service ?? undefined, range, compare: compare ? undefined : 'off' },
    }
    const times = timesOf(history)
    const shown = { range, window, service, compare, sort, releases: releaseRows(releases) }
    const name = nameOf(service)
    if (table !== null && table !== 'routes') {
      const tabled =
        table === 'durations'
          ? latencyTable(series.cells, history, times)
          : requestTable(table, history, times)
      return {
        title: `${tabled.chart.title} · ${name}Dashboard`,
        content: { ...shown, view: 'table' as const, ...tabled },
      }
    }
    if (overview === null) throw new Error('The overview was not loaded')
    const { routes, services, vitals, sessions, self } = overview
    return {
      title: `${name}Dashboard`,
      content: {
        ...shown,
        view: 'overview' as const,
        services: serviceChoices(services, service, servicesLimit),
        now: metricsOf(series.total, window),
        before: comparable && metricsOf(comparable.total, windowBefore),
        isBeforeStored,
        charts: requestCharts(history, times),
        heatMap: latencyMap(series.cells, history, times),
        releaseCount: starts.length,
        routes: routeRows(routes, sort, 0, routesLimit),
        routeCount: routes.length,
        vitals: vitalRows(vitals),
        sessions,
        self,
      },
    }
  },
})

/** Loads the busiest routes. `routeRows` sorts these routes in the chosen order. */
function loadRoutes(
  { window, service }: Params,
  { store }: Pick<Context, 'store'>,
  signal: AbortSignal,
): Promise<RouteCounts[]> {
  return store.routeMetrics({ window, service, except: ownService }, maxRoutes, signal)
}

/** Builds the requested page of the list of all routes, or the last page if there are fewer. */
function presentRoutes(
  routes: RouteCounts[],
  { range, window, service, compare, sort, page: requested }: Params,
): Presentation<'dashboard'> {
  const page = Math.min(requested, pageCountOf(routes.length, routesPerPage))
  const start = (page - 1) * routesPerPage
  return {
    title: `Routes · ${nameOf(service)}Dashboard`,
    content: {
      ...{ range, window, service, compare, sort, page },
      view: 'routes',
      routes: routeRows(routes, sort, start, routesPerPage),
      first: start + 1,
      routeCount: routes.length,
    },
  }
}

/** The start of a page's title. */
function nameOf(service: string | null): string {
  return service === null ? '' : `${service} · `
}

/** Loads the data that the overview shows, but the page of a single chart does not. */
async function loadOverview(
  params: Params,
  context: Context,
  { signal, user }: Pick<ScreenRequest, 'signal' | 'user'>,
) {
  const { store } = context
  const { window, pointMs, service } = params
  const [routes, services, vitals, sessions, self] = await Promise.all([
    loadRoutes(params, context, signal),
    store.services(window, window.toMs - window.fromMs, signal),
    store.webVitals({ window, service, except: ownService }, pointMs, routesLimit, signal),
    store.sessions({ window, service, except: ownService }, releasesLimit, signal),
    maySeeSelfMetrics(user) ? selfMetrics(context, { window, pointMs }, signal) : null,
  ])
  return { routes, services, vitals, sessions, self }
}

function maySeeSelfMetrics({ services }: User): boolean {
  return services === null || services.includes(ownService)
}

/**
 * Moves the window back by the length of a relative range, for example to the same time on the day before, or by all buckets
 * of an absolute range. The previous buckets then also start at round times, so that event summaries cover whole buckets.
 */
function previousWindow({ range, window, bucketMs }: Params): Window {
  const distanceMs = 'span' in range ? spanLengthMs(range.span) : bucketCount(window, bucketMs) * bucketMs
  const before = (ms: number) => Math.max(ms - distanceMs, firstMs)
  return { fromMs: before(window.fromMs), toMs: before(window.toMs) }
}
