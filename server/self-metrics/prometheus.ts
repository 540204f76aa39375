import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { ignoredKinds } from '../../shared/ignored.ts'
import type { Build } from '../build.ts'
import type { Events } from '../events/events.ts'
import type { Store } from '../store/store.ts'

/** From a cached page to a query over all stored events. OpenTelemetry suggests all but the last. */
const durationBoundsSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30]

/** prom-client gauges that are named like counters. `promtool check metrics` reports such names as errors. */
const misnamed = ['handles', 'requests', 'resources'].map(each => `nodejs_active_${each}_total`)

export type PrometheusMetrics = {
  /** Counts a completed request. `route` is `null` for unknown paths. */
  onRequest(request: { method: string; route: string | null; status: number; durationMs: number }): void
  /** Returns all metrics in Prometheus' text format. */
  text(): Promise<string>
  contentType: string
  /** Stops measuring. */
  stop(): void
}

/**
 * Measures this process, its requests, the ingest endpoints and the store. Names follow Prometheus
 * (https://prometheus.io/docs/practices/naming/) and, for requests, OpenTelemetry
 * (https://opentelemetry.io/docs/specs/semconv/http/http-metrics/).
 */
export function createPrometheusMetrics({
  build,
  events,
  store,
}: {
  build: Pick<Build, 'version'>
  events: Pick<Events, 'counts'>
  store: Pick<Store, 'stats'>
}): PrometheusMetrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)

  new Gauge({
    name: 'sixpane_build_info',
    help: 'The version of Sixpane. The value is always 1.',
    labelNames: ['version'],
    registers,
  }).set({ version: build.version }, 1)

  const requests = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP requests.',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: durationBoundsSeconds,
    registers,
  })

  /** Creates a counter that reads its value from `read` for each scrape. */
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  counter(
    'sixpane_ingest_events_accepted_total',
    'Events that were accepted.',
    () => events.counts().accepted,
  )
  counter(
    'sixpane_ingest_events_rejected_total',
    'Invalid, expired or forbidden items, and events that did not fit in the queue.',
    () => events.counts().rejected,
  )
  counter(
    'sixpane_own_events_dropped_total',
    'Log lines of Sixpane itself that could not be stored.',
    () => events.counts().dropped,
  )
  new Counter({
    name: 'sixpane_ingest_items_ignored_total',
    help: 'Items that were accepted but not stored, such as most spans of a trace.',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset()
      const { ignored } = events.counts()
      for (const kind of ignoredKinds) this.inc({ kind }, ignored[kind] ?? 0)
    },
  })

  const stored = new Gauge({ name: 'sixpane_store_events', help: 'Stored events.', registers })
  const size = new Gauge({ name: 'sixpane_store_size_bytes', help: 'Size of the store on disk.', registers })
  const oldest = new Gauge({
    name: 'sixpane_store_oldest_event_timestamp_seconds',
    help: 'Time of the oldest stored event; 0 if there is none.',
    registers,
  })
  const damaged = new Gauge({
    name: 'sixpane_store_damaged_files',
    help: 'Damaged files that were moved aside.',
    registers,
  })
  const queries = new Counter({
    name: 'sixpane_store_queries_total',
    help: 'Store queries.',
    registers,
  })
  const queryTime = new Counter({
    name: 'sixpane_store_query_duration_seconds_total',
    help: 'Total duration of the store queries.',
    registers,
  })

  const readStore = async () => {
    const stats = await store.stats()
    stored.set(stats.events)
    size.set(stats.diskBytes)
    oldest.set((stats.oldestMs ?? 0) / 1000)
    damaged.set(stats.damagedFiles.length)
    for (const [metric, value] of [
      [queries, stats.queries],
      [queryTime, stats.queriesMs / 1000],
    ] as const) {
      metric.reset()
      metric.inc(value)
    }
  }

  return {
    onRequest({ method, route, status, durationMs }) {
      requests.observe(
        {
          http_request_method: method,
          http_route: route ?? '',
          http_response_status_code: status,
        },
        durationMs / 1000,
      )
    },
    async text() {
      await readStore()
      return registry.metrics()
    },
    contentType: registry.contentType,
    stop: () => registry.clear(),
  }
}
