import { routeSorts } from '../../../shared/paths.ts'
import { parseRange, type Window } from '../../../shared/range.ts'
import { bucketMsFor, divideIntoBuckets } from '../buckets.ts'
import { defineScreen } from '../screen.ts'
import { requestCharts } from './charts.ts'
import { latencyEdgesMs, latencyMap } from './latency.ts'
import { requestsHref } from './links.ts'
import { releaseMarkers, releaseRows } from './releases.ts'
import { metricsOf, routeRows } from './request-metrics.ts'
import { ingestMetrics, recordedMetrics } from './self-metrics.ts'
import { vitalRows } from './web-vitals.ts'

const servicesLimit = 50
const routesLimit = 20
/** More release markers would hide the chart. */
const releasesLimit = 12
/** The store returns the busiest routes; other orders are computed from them. */
const maxRankedRoutes = 1000
/** Bars of a sparkline. */
const vitalSteps = 30
/** The earliest time that ECMAScript can represent. */
const firstMs = -8.64e15

/** Request rates, errors and latency, over time and by route. */
export const dashboard = defineScreen({
  id: 'dashboard',

  parse({ params, preferences, nowMs }) {
    const range = parseRange(params, preferences.range)
    return {
      range,
      ...divideIntoBuckets(range, nowMs),
      service: params.get('service') || null,
      sort: routeSorts.find(each => each === params.get('sort')) ?? ('slowest' as const),
      compare: params.get('compare') !== 'off',
    }
  },

  async load({ window, bucketMs, service, compare }, { signal }, context) {
    const { store } = context
    const previous = previousWindow(window)
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
      store.requestMetrics({ window: previous, service }, signal),
      store.requestSeries({ window, service }, bucketMs, signal),
      compare ? store.requestSeries({ window: previous, service }, bucketMs, signal) : null,
      store.latency({ window, service }, bucketMs, latencyEdgesMs, signal),
      store.releaseStarts({ window, service }, signal),
      store.routeMetrics({ window, service }, maxRankedRoutes, signal),
      store.facets({ window, query: { kind: 'all' } }, ['service'], servicesLimit, signal),
      store.webVitals({ window, service }, bucketMsFor(window, vitalSteps), routesLimit, signal),
      recordedMetrics(context, window, signal),
      ingestMetrics(context),
    ])
    return {
      counts,
      countsBefore,
      buckets,
      bucketsBefore,
      cells,
      starts,
      routes,
      services,
      vitals,
      recorded,
      ingest,
    }
  },

  present(data, { range, window, bucketMs, service, sort, compare }, { preferences }, context) {
    const previous = previousWindow(window)
    const releases = data.starts.slice(0, releasesLimit)
    const filter = service === null ? {} : { service }
    const history = {
      buckets: data.buckets,
      window,
      before: data.bucketsBefore && { buckets: data.bucketsBefore, window: previous },
      markers: releaseMarkers(releases, service),
      bucketMs,
      clock: preferences,
      filter,
    }
    return {
      ...(service === null ? {} : { title: `${service} · Dashboard` }),
      content: {
        range,
        window,
        service,
        services: servicesWith(service, data.services?.values.map(({ value }) => value) ?? []),
        now: metricsOf(data.counts, window),
        before: metricsOf(data.countsBefore, previous),
        eventsHref: requestsHref(filter, window),
        errorsHref: requestsHref(filter, window, 'errors'),
        compare,
        charts: requestCharts(history),
        heatMap: latencyMap(data.cells, history),
        releases: releaseRows(releases, window),
        releaseCount: data.starts.length,
        sort,
        routes: routeRows(data.routes, sort, window, routesLimit),
        routeCount: data.routes.length,
        vitals: vitalRows(data.vitals, window),
        process: context.process.read(),
        recorded: data.recorded,
        ingest: data.ingest,
      },
    }
  },
})

/** The window of the same length right before this one. */
function previousWindow({ fromMs, toMs }: Window): Window {
  return { fromMs: Math.max(fromMs - (toMs - fromMs), firstMs), toMs: fromMs }
}

/** The selected service is always among the choices, even if it has no events in the window. */
function servicesWith(service: string | null, services: string[]): string[] {
  const all = service === null || services.includes(service) ? services : [...services, service]
  return all.toSorted()
}
