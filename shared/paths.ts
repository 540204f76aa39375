import type { FailureState } from './failure.ts'
import type { Range, Span, Window } from './range.ts'
import type { FacetName } from './screens/activities.ts'
import type { Drill } from './screens/development.ts'
import type { SettingsSection } from './screens/settings.ts'
import { screens } from './screens.ts'

/** Separate constant, so that the browser client does not include all other URLs. */
export const browserPath = '/browser'

/** Builds every URL of the product. No other code spells URLs. */
export const paths = {
  home: (view: { range?: Span; services?: 'all' | undefined } = {}) => withQuery(screens.home.path, view),
  activities: (view: ActivitiesView = {}) => {
    const { range, ...rest } = view
    return withQuery(screens.activities.path, { q: rest.q, ...rangeQuery(range), ...rest })
  },
  /** A view given by its query string. */
  savedActivities: (view: string) => `${screens.activities.path}${view === '' ? '' : `?${view}`}`,
  /** One search over many windows: the common part of the URLs is encoded once. */
  activitiesOver(q: string, columns?: string): (window: Window) => string {
    const shared = withQuery(screens.activities.path, { q, columns })
    const joint = shared.includes('?') ? '&' : '?'
    return window => `${shared}${joint}${queryText(rangeQuery(window))}`
  },
  /** The two parts of `activitiesOver`, for many searches over the same windows. */
  activitiesHalves: {
    of: (q: string) => `${withQuery(screens.activities.path, { q })}&`,
    during: (window: Window) => queryText(rangeQuery(window)),
  },
  dashboard: (view: DashboardView = {}) =>
    withQuery(screens.dashboard.path, {
      service: view.service,
      ...rangeQuery(view.range),
      sort: view.sort,
      compare: view.compare,
    }),
  development: (view: DevelopmentView = {}) => {
    const { range, ...rest } = view
    return withQuery(screens.development.path, { ...rest, ...rangeQuery(range) })
  },
  settings: ({ section, ...view }: { done?: string; webhook?: string; section?: SettingsSection } = {}) =>
    `${withQuery(screens.settings.path, view)}${section === undefined ? '' : `#${section}`}`,
  ui: () => screens.ui.path,
  /** Ingests log lines: NDJSON or a JSON array. `source` is set by clients that are not services. */
  ingest: (view: { source?: 'stdin' } = {}) => withQuery('/ingest', view),
  /** OTLP/HTTP: https://opentelemetry.io/docs/specs/otlp/#otlphttp-request */
  otlpLogs: () => '/v1/logs',
  otlpTraces: () => '/v1/traces',
  /** Loki's push API: https://grafana.com/docs/loki/latest/reference/loki-http-api/#ingest-logs */
  lokiPush: () => '/loki/api/v1/push',
  /** The readiness check of Loki clients. */
  lokiReady: () => '/ready',
  /** Ingests reports from the browsers of connected web applications. */
  browser: () => browserPath,
  /** Uploads the source maps of a release. */
  sourceMaps: () => '/api/sourcemaps',
  /** The live feed of events that match a search, as server-sent events. */
  live: (view: { q?: string; after?: number; columns?: string } = {}) => withQuery('/live', view),
  /** Completions at the cursor of a search. */
  complete: (view: { q?: string; at?: number; range?: Range } = {}) =>
    withQuery('/complete', { q: view.q, at: view.at, ...rangeQuery(view.range) }),
  /** The events of a search as a file. */
  export: (view: { q?: string; range?: Range; format?: ExportFormat } = {}) =>
    withQuery('/export', { q: view.q, ...rangeQuery(view.range), format: view.format }),
  /** The targets of the command palette. */
  find: () => '/find',
  /** Failure reports of Sixpane's own client. */
  report: () => '/report',
  livez: () => '/livez',
  readyz: () => '/readyz',
  asset: (name: string) => `/assets/${name}`,
}

type ActivitiesView = {
  q?: string | undefined
  range?: Range | undefined
  /** Show the events older than this cursor. */
  before?: string | undefined
  /** Show the events newer than this cursor. */
  after?: string | undefined
  /** The id of the open event. */
  event?: number | undefined
  /** The columns of the log, if they differ from the visitor's preferences. */
  columns?: string | undefined
  /** The facet whose values are all shown. */
  facet?: FacetName | undefined
}

export const exportFormats = ['ndjson', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]
/** Maximum number of events in an exported file. */
export const maxExportedEvents = 100_000

export const routeSorts = ['slowest', 'failing', 'busiest'] as const
export type RouteSort = (typeof routeSorts)[number]

export type DashboardView = {
  service?: string | undefined
  range?: Range | undefined
  /** The order of the routes. */
  sort?: RouteSort | undefined
  /** Charts compare with the previous period unless `off`. */
  compare?: 'off' | undefined
}

export type DevelopmentView = {
  failure?: string | undefined
  /** The digest that the visitor searched for. */
  digest?: string | undefined
  sort?: 'newest' | 'frequent' | undefined
  /** Which failures to list; defaults to the open ones. */
  state?: FailureState | 'all' | undefined
  range?: Range | undefined
  /** Fail on purpose, to show the failure page. */
  drill?: Drill | undefined
}

/** Returns the query string fields of a range, for links and forms. */
export function rangeQuery(range: Range | undefined): Record<string, string> {
  if (range === undefined) return {}
  if ('span' in range) return { range: range.span }
  return { from: new Date(range.fromMs).toISOString(), to: new Date(range.toMs).toISOString() }
}

type Query = Readonly<Record<string, string | number | undefined>>

function withQuery(path: string, query: Query): string {
  const text = queryText(query)
  return text === '' ? path : `${path}?${text}`
}

function queryText(query: Query): string {
  let text = ''
  for (const name in query) {
    const value = query[name]
    if (value !== undefined && value !== '')
      text += `${text === '' ? '' : '&'}${name}=${encoded(String(value))}`
  }
  return text
}

/** Encodes a value like a form does, with a fast path for the most common values: times and plain words. */
function encoded(text: string): string {
  if (/^[\w.:*-]*$/.test(text)) return text.replaceAll(':', '%3A')
  return new URLSearchParams({ _: text }).toString().slice('_='.length)
}
