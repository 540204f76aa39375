import type { FailureState } from './failure.ts'
import type { Range, Span, Window } from './range.ts'
import type { FacetName } from './screens/activities.ts'
import type { Drill } from './screens/development.ts'
import { screens } from './screens.ts'

/** By itself for what connected applications load: the rest of the product's URLs would weigh there. */
export const browserPath = '/browser'

/** Every URL of the product is built here, and nowhere else. */
export const paths = {
  home: (view: { range?: Span; services?: 'all' | undefined } = {}) => withQuery(screens.home.path, view),
  activities: (view: ActivitiesView = {}) => {
    const { range, ...rest } = view
    return withQuery(screens.activities.path, { q: rest.q, ...rangeQuery(range), ...rest })
  },
  /** A view as its query string says it. */
  savedActivities: (view: string) => `${screens.activities.path}${view === '' ? '' : `?${view}`}`,
  /** One search over many windows: what its URLs share is written once. */
  activitiesOver(q: string, columns?: string): (window: Window) => string {
    const shared = withQuery(screens.activities.path, { q, columns })
    const joint = shared.includes('?') ? '&' : '?'
    return window => `${shared}${joint}${queryText(rangeQuery(window))}`
  },
  /** The two halves of `activitiesOver`, for many searches over the same windows. */
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
  settings: ({ part, ...view }: { done?: SettingsDone; webhook?: string; part?: SettingsPart } = {}) => {
    const shown = part ?? (view.done === undefined ? undefined : settingsDone[view.done])
    return `${withQuery(screens.settings.path, view)}${shown === undefined ? '' : `#${shown}`}`
  },
  ui: () => screens.ui.path,
  /** Where log lines come in: NDJSON or a JSON array. `source` says what read them, where that is no service. */
  ingest: (view: { source?: 'stdin' } = {}) => withQuery('/ingest', view),
  /** OTLP/HTTP: https://opentelemetry.io/docs/specs/otlp/#otlphttp-request */
  otlpLogs: () => '/v1/logs',
  otlpTraces: () => '/v1/traces',
  /** Loki's push API: https://grafana.com/docs/loki/latest/reference/loki-http-api/#ingest-logs */
  lokiPush: () => '/loki/api/v1/push',
  /** Where clients of Loki ask whether it is there. */
  lokiReady: () => '/ready',
  /** Where the browsers of connected web applications send what they saw. */
  browser: () => browserPath,
  /** Where source maps of a release are put. */
  sourceMaps: () => '/api/sourcemaps',
  /** The live feed of events that match a search, as server-sent events. */
  live: (view: { q?: string; after?: number; columns?: string } = {}) => withQuery('/live', view),
  /** What may stand at a place of a search. */
  complete: (view: { q?: string; at?: number; range?: Range } = {}) =>
    withQuery('/complete', { q: view.q, at: view.at, ...rangeQuery(view.range) }),
  /** The events of a search as a file. */
  export: (view: { q?: string; range?: Range; format?: ExportFormat } = {}) =>
    withQuery('/export', { q: view.q, ...rangeQuery(view.range), format: view.format }),
  /** What the command palette leads to. */
  find: () => '/find',
  /** Where Sixpane's own browser code reports a failure. */
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
  /** The id of the event that is open. */
  event?: number | undefined
  /** The columns of the log, where they are not the visitor's usual ones. */
  columns?: string | undefined
  /** The facet that shows all its values. */
  facet?: FacetName | undefined
}

export const exportFormats = ['ndjson', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]
/** A file holds the newest events of the search, at most so many. */
export const mostExported = 100_000

/** What a form of the settings did, and the part of the screen where it shows. */
export const settingsDone = {
  preferences: 'preferences',
  'level-changed': 'log-level',
  'retention-changed': 'retention',
  'redaction-changed': 'redaction',
  'webhook-changed': 'webhooks',
  'webhook-tested': 'webhooks',
  'webhook-removed': 'webhooks',
  'token-revoked': 'tokens',
} as const
export type SettingsDone = keyof typeof settingsDone
export type SettingsPart = (typeof settingsDone)[SettingsDone] | 'service'

export const routeSorts = ['slowest', 'failing', 'busiest'] as const
export type RouteSort = (typeof routeSorts)[number]

export type DashboardView = {
  service?: string | undefined
  range?: Range | undefined
  /** Which routes stand first. */
  sort?: RouteSort | undefined
  /** Charts stand against the period before, where it is not off. */
  compare?: 'off' | undefined
}

export type DevelopmentView = {
  failure?: string | undefined
  /** A digest that was looked up. */
  digest?: string | undefined
  sort?: 'newest' | 'frequent' | undefined
  /** Which failures are listed; the open ones where left out. */
  state?: FailureState | 'all' | undefined
  range?: Range | undefined
  /** Fail on purpose. */
  drill?: Drill | undefined
}

/** A range as the fields of a query string: what a form has to send along. */
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

/** Encodes a value as a form does. Most are times and words with little to encode: those need not be taken apart. */
function encoded(text: string): string {
  if (/^[\w.:*-]*$/.test(text)) return text.replaceAll(':', '%3A')
  return new URLSearchParams({ _: text }).toString().slice('_='.length)
}
