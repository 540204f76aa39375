import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { ignoredKinds } from '../../shared/ignored.ts'
import type { Build } from '../build.ts'
import type { EventCounts, Events } from '../events/events.ts'
import type { Logger } from '../logger.ts'
import type { Store } from '../store/store.ts'
import { withinDeadline } from '../store/within-deadline.ts'

/** The buckets cover cached pages as well as queries over all events. OpenTelemetry suggests all bounds but the last. */
const durationBoundsSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30]

/** By default, Prometheus stops waiting for the metrics after ten seconds. */
const storeDeadlineMs = 5000

/** prom-client gauges that are named like counters. `promtool check metrics` reports such names as errors. */
const misnamed = ['handles', 'requests', 'resources'].map(each => `nodejs_active_${each}_total`)

export type PrometheusMetrics = {
  /** Counts a completed request. `route` is `null` for unknown paths. */
  onRequest(request: { method: string; route: string | null; status: number; durationMs: number }): void
  /** Returns all metrics in Prometheus' text format, except the store's metrics if the store cannot be read. */
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
  logger,
}: {
  build: Pick<Build, 'version'>
  events: Pick<Events, 'counts'>
  store: Pick<Store, 'check' | 'stats'>
  logger: Pick<Logger, 'error'>
}): PrometheusMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
  addBuildInfo(registry, build.version)
  const requests = addRequests(registry)
  addIngest(registry, events)
  const storeRegistry = new Registry()
  const readStore = addStoreUp(registry, addStore(storeRegistry, store), logger)
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
      const isStoreUp = await readStore()
      return Registry.merge(isStoreUp ? [registry, storeRegistry] : [registry]).metrics()
    },
    contentType: registry.contentType,
    stop: () => registry.clear(),
  }
}

function addBuildInfo(registry: Registry, version: string): void {
  new Gauge({
    name: 'sixpane_build_info',
    help: 'The version of Sixpane. The value is always 1.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1)
}

function addRequests(registry: Registry) {
  return new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP requests.',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: durationBoundsSeconds,
    registers: [registry],
  })
}

/** Adds counters whose values are read from the event queue for each scrape. */
function addIngest(registry: Registry, events: Pick<Events, 'counts'>): void {
  const registers = [registry]
  const addCounter = (name: string, help: string, read: (counts: EventCounts) => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(read(events.counts()))
      },
    })
  addCounter('sixpane_ingest_events_accepted_total', 'Events that were accepted.', ({ accepted }) => accepted)
  addCounter(
    'sixpane_ingest_events_rejected_total',
    'Invalid, expired or forbidden items, and events that did not fit in the queue.',
    ({ rejected }) => rejected,
  )
  addCounter(
    'sixpane_own_events_dropped_total',
    "Sixpane's own log lines that could not be stored.",
    ({ dropped }) => dropped,
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
}

/** Adds the metrics of the store. The returned function sets them all from a single reading of the statistics. */
function addStore(registry: Registry, store: Pick<Store, 'check' | 'stats'>): () => Promise<void> {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] })
  const counter = (name: string, help: string) => new Counter({ name, help, registers: [registry] })
  const stored = gauge('sixpane_store_events', 'Stored events.')
  const size = gauge('sixpane_store_size_bytes', 'Size of the store on disk.')
  const oldest = gauge(
    'sixpane_store_oldest_event_timestamp_seconds',
    'Time of the oldest stored event; 0 if there is none.',
  )
  const damaged = gauge('sixpane_store_damaged_files', 'Damaged files that were moved aside.')
  const queries = counter('sixpane_store_queries_total', 'Store queries.')
  const queryTime = counter(
    'sixpane_store_query_duration_seconds_total',
    'Total duration of the store queries.',
  )
  return async () => {
    // DuckDB's statistics are in memory, so they are available even if its files are not.
    await store.check()
    const stats = await store.stats()
    stored.set(stats.events)
    size.set(stats.diskBytes)
    oldest.set((stats.oldestMs ?? 0) / 1000)
    damaged.set(stats.damagedFiles.length)
    queries.reset()
    queries.inc(stats.queries)
    queryTime.reset()
    queryTime.inc(stats.queriesMs / 1000)
  }
}

/**
 * Adds a metric that reports outages of the store. The returned function reads the other metrics of the store, and returns
 * whether they could be read.
 */
function addStoreUp(
  registry: Registry,
  readStore: () => Promise<void>,
  logger: Pick<Logger, 'error'>,
): () => Promise<boolean> {
  const up = new Gauge({
    name: 'sixpane_store_up',
    help: '1 if the store can be read; otherwise 0, and its other metrics are absent.',
    registers: [registry],
  })
  let isUp = true
  return async () => {
    try {
      await withinDeadline(readStore(), storeDeadlineMs)
      isUp = true
    } catch (err) {
      // Log one line per outage.
      if (isUp) logger.error({ err }, 'Failed to read the metrics of the store')
      isUp = false
    }
    up.set(isUp ? 1 : 0)
    return isUp
  }
}
