import type { ExportFormat } from './export-format.ts'
import type { FailureSort, FailureState } from './failure.ts'
import type { Range, Span, Window } from './range.ts'
import type { ActivitiesPart, FacetName } from './screens/activities.ts'
import type { DashboardChartId, RouteSort } from './screens/dashboard.ts'
import type { DevelopmentPart, Drill } from './screens/development.ts'
import type { SettingsSection } from './screens/settings.ts'
import type { UiGroup } from './screens/ui.ts'
import { screens } from './screens.ts'

/** A separate constant, so that `sixpane/browser` does not bundle the other URLs. */
export const browserPath = '/browser'

/**
 * Asks for the password if users normally sign in otherwise. Browsers then send the password to all paths in the same folder,
 * so this path must be at the root. Not in `paths`, because no page with scripts needs it.
 */
export const passwordPath = '/password'

/** Builds all of Sixpane's URLs. Other code contains no URLs. */
export const paths = {
  home: (
    view: {
      range?: Span
      services?: 'all' | undefined
      page?: number | undefined
      /** Also list Sixpane itself. */
      own?: 'shown' | undefined
    } = {},
  ) => withQuery(screens.home.path, view),
  activities: (view: ActivitiesView = {}) => {
    const { range, ...rest } = view
    return withQuery(screens.activities.path, { q: rest.q, ...rangeQuery(range), ...rest })
  },
  /** The log with a saved search. `view` is the query string of its URL. */
  savedActivities: (view: string) => `${screens.activities.path}${view === '' ? '' : `?${view}`}`,
  /** Builds URLs for one search with many windows. Encodes their common part only once. */
  activitiesForWindow(q: string, columns?: string, facet?: FacetName): (window: Window) => string {
    const { search, window } = paths.activitiesUrlParts
    const shared = search(q, columns, facet)
    return each => shared + window(each)
  },
  /** Builds URLs for many searches with many windows, in two parts. */
  activitiesUrlParts: {
    search(q: string, columns?: string, facet?: FacetName): string {
      const text = queryText({ q, columns, facet })
      return `${screens.activities.path}?${text && `${text}&`}`
    },
    window: (window: Window) => queryText(rangeQuery(window)),
  },
  dashboard: (view: DashboardView = {}) =>
    withQuery(screens.dashboard.path, {
      service: view.service,
      ...rangeQuery(view.range),
      sort: view.sort,
      compare: view.compare,
      table: view.table,
      page: view.page,
    }),
  development: (view: DevelopmentView = {}) => {
    const { range, ...rest } = view
    return withQuery(screens.development.path, { ...rest, ...rangeQuery(range) })
  },
  settings: ({ section, ...view }: SettingsView = {}) =>
    `${withQuery(screens.settings.path, view)}${section === undefined ? '' : `#${section}`}`,
  ui: (view: { group?: UiGroup | undefined } = {}) => withQuery(screens.ui.path, view),
  /** Ingests log lines as NDJSON or a JSON array. `source` is set by clients that forward the lines of another program. */
  ingest: (view: { source?: 'stdin' } = {}) => withQuery('/ingest', view),
  /** OTLP/HTTP: https://opentelemetry.io/docs/specs/otlp/#otlphttp-request */
  otlpLogs: () => '/v1/logs',
  otlpTraces: () => '/v1/traces',
  /** Loki's push API: https://grafana.com/docs/loki/latest/reference/loki-http-api/#ingest-logs */
  lokiPush: () => '/loki/api/v1/push',
  /** The readiness check for Loki clients. */
  lokiReady: () => '/ready',
  /** Ingests reports from the browsers of connected web applications. */
  browser: () => browserPath,
  /** Uploads the source maps of a release. */
  sourceMaps: () => '/api/sourcemaps',
  /** Starts the sign-in with OpenID Connect, and then opens a path on this server. */
  signIn: (view: { to?: string } = {}) => withQuery('/sign-in', view),
  signInCallback: () => '/sign-in/callback',
  signOut: () => '/sign-out',
  signedOut: () => '/signed-out',
  /** All stored data, as an archive. */
  backup: () => '/backup',
  /** The live feed of a search, as server-sent events. `after` is a position, or one with the time at which the page ends. */
  live: (view: { q?: string; after?: string; columns?: string } = {}) => withQuery('/live', view),
  /** Completions for a search at the cursor. */
  complete: (view: { q?: string; at?: number; range?: Range } = {}) =>
    withQuery('/complete', { q: view.q, at: view.at, ...rangeQuery(view.range) }),
  /** The results of a search as a file. A CSV file has further columns for attributes in `columns`. */
  export: (view: ExportView = {}) =>
    withQuery('/export', {
      q: view.q,
      ...rangeQuery(view.range),
      columns: view.columns,
      format: view.format,
    }),
  /** The entries of the command palette. */
  find: () => '/find',
  /** Failure reports from Sixpane's own pages. */
  report: () => '/report',
  livez: () => '/livez',
  metrics: () => '/metrics',
  readyz: () => '/readyz',
  asset: (name: string) => `/assets/${name}`,
}

/**
 * The part of Sentry's API that Sentry's SDKs, bundler plugins and `sentry-cli` use. A separate constant, because
 * browsers do not need these URLs. The slash at the end is part of each path.
 */
export const sentryPaths = {
  /**
   * Ingests envelopes and single events (https://develop.sentry.dev/sdk/foundations/transport/). The part of a DSN before the
   * project is the service.
   */
  ingest: () =>
    ['', '/:service'].flatMap(service =>
      ['envelope', 'store'].map(endpoint => `${service}/api/:project/${endpoint}/`),
    ),
  /** The DSN for an SDK. */
  dsn: (origin: string, key: string, service: string) =>
    `${origin.replace('://', `://${key}@`)}/${encodeURIComponent(service)}/1`,
  api: () => '/api/0/',
  /** Responds with the upload limits, and accepts parts of files. */
  chunkUpload: (organization = ':organization') => `/api/0/organizations/${organization}/chunk-upload/`,
  /** Joins uploaded parts into a file and processes it. */
  assemble: (organization = ':organization') =>
    `/api/0/organizations/${organization}/artifactbundle/assemble/`,
  repositories: (organization = ':organization') => `/api/0/organizations/${organization}/repos/`,
  releases: (owner: string) => `/api/0/${owner}/releases/`,
  release: (owner: string, version = ':version') => `/api/0/${owner}/releases/${version}/`,
  previousRelease: (owner: string, version = ':version') =>
    `/api/0/${owner}/releases/${version}/previous-with-commits/`,
  deploys: (owner: string, version = ':version') => `/api/0/${owner}/releases/${version}/deploys/`,
  /** The owner of a release in a path: `sentry-cli` 2 sends a project, and `sentry-cli` 3 only the organization. */
  releaseOwners: ['organizations/:organization', 'projects/:organization/:project'],
} as const

type ActivitiesView = {
  q?: string | undefined
  range?: Range | undefined
  /** Show only events older than this cursor. */
  before?: string | undefined
  /** Show only events newer than this cursor. */
  after?: string | undefined
  /** The id of the open event. */
  event?: number | undefined
  /** The columns of the log, if they differ from the visitor's preferences. */
  columns?: string | undefined
  /** Show the histogram as a table instead of the log. */
  table?: 'histogram' | undefined
  /** Load only this part of the log. */
  view?: ActivitiesPart | undefined
  /** The expanded facet, which shows all its values. */
  facet?: FacetName | undefined
  /** In the facets, show only fields and values that contain this text. */
  find?: string | undefined
}

type ExportView = {
  q?: string
  range?: Range
  format?: ExportFormat
  /** The columns of the log, if they differ from the visitor's preferences. */
  columns?: string | undefined
}

/** `done` selects the confirmation to show, and `undo` identifies the change that can be undone. */
export type SettingsView = { done?: string; undo?: string; webhook?: string; section?: SettingsSection }

export type DashboardView = {
  service?: string | undefined
  range?: Range | undefined
  /** The order of the routes. */
  sort?: RouteSort | undefined
  /** `off` hides the previous period in the charts. */
  compare?: 'off' | undefined
  /** Show only this chart, with its table, or only the routes. */
  table?: DashboardChartId | 'routes' | undefined
  /** The page of the list of all routes. */
  page?: number | undefined
}

export type DevelopmentView = {
  /** The page to show instead of the failures. */
  view?: DevelopmentPart | undefined
  failure?: string | undefined
  /** The digest that the visitor searched for. */
  digest?: string | undefined
  /** Text that the listed failures contain. */
  q?: string | undefined
  /** The service of the listed failures. */
  service?: string | undefined
  /** Defaults to `newest`. */
  sort?: FailureSort | undefined
  /** Which failures to list; defaults to the open ones. */
  state?: FailureState | 'all' | undefined
  /** The page of the list; defaults to the first one. */
  page?: number | undefined
  range?: Range | undefined
  /** Fail deliberately, to show the failure page. */
  drill?: Drill | undefined
}

/** Returns the query parameters of a range, for links and forms. */
export function rangeQuery(range: Range | undefined): Record<string, string> {
  if (range === undefined) return {}
  if ('span' in range) return { range: range.span }
  return { from: shortInstant(range.fromMs), to: shortInstant(range.toMs) }
}

/**
 * `2026-11-21T14:03Z`: omits seconds and milliseconds if they are zero, because the links of a page contain hundreds of
 * times.
 */
function shortInstant(ms: number): string {
  return new Date(ms).toISOString().replace(/(:00)?\.000Z$/, 'Z')
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

/**
 * Encodes a value as in a form, except `:` and `/`, which a query string may contain
 * (https://www.rfc-editor.org/rfc/rfc3986#section-3.4). Searches and times stay readable, and pages with hundreds of links
 * get shorter.
 */
function encoded(text: string): string {
  return text.replace(/[^\w.:/*-]/gu, encodedCharacter)
}

/** Caches encoded ASCII characters, because a lookup is faster than encoding. */
const encodedCharacters = new Map<string, string>()

function encodedCharacter(character: string): string {
  const known = encodedCharacters.get(character)
  if (known !== undefined) return known
  const form = new URLSearchParams({ _: character }).toString().slice('_='.length)
  if (character <= '\u007f') encodedCharacters.set(character, form)
  return form
}
