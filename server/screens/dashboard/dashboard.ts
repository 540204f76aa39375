import { routeSorts } from '../../../shared/paths.ts'
import { parseRange, type Window } from '../../../shared/range.ts'
import { bucketed, bucketMsFor } from '../buckets.ts'
import type { Screen } from '../screen.ts'
import { requestCharts } from './charts.ts'
import { latencyEdgesMs, latencyMap } from './latency.ts'
import { requestsHref } from './links.ts'
import { releaseMarkers, releaseRows } from './releases.ts'
import { figuresOf, routeRows } from './request-metrics.ts'
import { ingestFigures, recordedFigures } from './self-metrics.ts'
import { vitalRows } from './web-vitals.ts'

const mostServices = 50
const shownRoutes = 20
/** Lines on a chart beyond these hide what it shows. */
const mostReleases = 12
/** The store gives the busiest; the slowest are found among them. */
const weighedRoutes = 1000
/** As many bars as a sparkline has room for. */
const vitalSteps = 30
/** ECMAScript's first instant: the period before must not begin earlier. */
const firstMs = -8.64e15

/** How well requests are answered, over time and by route. */
export const dashboard: Screen<'dashboard'> = async ({ params, preferences, nowMs, signal }, context) => {
  const { store } = context
  const range = parseRange(params, preferences.range)
  const { window, bucketMs } = bucketed(range, nowMs)
  const before = periodBefore(window)
  const service = params.get('service') || null
  const sort = routeSorts.find(each => each === params.get('sort')) ?? 'slowest'

  const compare = params.get('compare') !== 'off'

  const [
    counts,
    countsBefore,
    buckets,
    bucketsBefore,
    cells,
    starts,
    routes,
    [services],
    vitals,
    recorded,
    ingest,
  ] = await Promise.all([
    store.requestMetrics({ window, service }, signal),
    store.requestMetrics({ window: before, service }, signal),
    store.requestSeries({ window, service }, bucketMs, signal),
    compare ? store.requestSeries({ window: before, service }, bucketMs, signal) : null,
    store.latency({ window, service }, bucketMs, latencyEdgesMs, signal),
    store.releaseStarts({ window, service }, signal),
    store.routeMetrics({ window, service }, weighedRoutes, signal),
    store.facets({ window, query: { kind: 'all' } }, ['service'], mostServices, signal),
    store.webVitals({ window, service }, bucketMsFor(window, vitalSteps), shownRoutes, signal),
    recordedFigures(context, window, signal),
    ingestFigures(context),
  ])
  const of = service === null ? {} : { service }
  const history = {
    buckets,
    window,
    before: bucketsBefore && { buckets: bucketsBefore, window: before },
    markers: releaseMarkers(starts.slice(0, mostReleases), service),
    bucketMs,
    clock: preferences,
    of,
  }
  const title = service === null ? {} : { title: `${service} · Dashboard` }
  return {
    kind: 'content',
    ...title,
    content: {
      range,
      window,
      service,
      services: servicesWith(service, services?.values.map(({ value }) => value) ?? []),
      now: figuresOf(counts, window),
      before: figuresOf(countsBefore, before),
      eventsHref: requestsHref(of, window),
      errorsHref: requestsHref(of, window, 'errors'),
      compare,
      charts: requestCharts(history),
      heatMap: latencyMap(cells, history),
      releases: releaseRows(starts.slice(0, mostReleases), window),
      releaseCount: starts.length,
      sort,
      routes: routeRows(routes, sort, window, shownRoutes),
      routeCount: routes.length,
      vitals: vitalRows(vitals, window),
      process: context.process.read(),
      recorded,
      ingest,
    },
  }
}

/** As long as the window, and right before it. */
function periodBefore({ fromMs, toMs }: Window): Window {
  return { fromMs: Math.max(fromMs - (toMs - fromMs), firstMs), toMs: fromMs }
}

/** The one that was asked for is among the choices, even if it did not write. */
function servicesWith(service: string | null, services: string[]): string[] {
  const all = service === null || services.includes(service) ? services : [...services, service]
  return all.toSorted()
}
