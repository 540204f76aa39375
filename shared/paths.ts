import type { Drill } from './content.ts'
import type { Range, Span } from './range.ts'
import { screens } from './screens.ts'

/** Every URL of the product is built here, and nowhere else. */
export const paths = {
  home: (view: { range?: Span } = {}) => withQuery(screens.home.path, view),
  activities: (view: ActivitiesView = {}) => {
    const { range, ...rest } = view
    return withQuery(screens.activities.path, { q: rest.q, ...rangeQuery(range), ...rest })
  },
  dashboard: (view: DashboardView = {}) =>
    withQuery(screens.dashboard.path, {
      service: view.service,
      ...rangeQuery(view.range),
      sort: view.sort,
    }),
  development: (view: DevelopmentView = {}) => {
    const { range, ...rest } = view
    return withQuery(screens.development.path, { ...rest, ...rangeQuery(range) })
  },
  settings: (view: { saved?: 'preferences' } = {}) => withQuery(screens.settings.path, view),
  ui: () => screens.ui.path,
  /** Where log lines come in: NDJSON or a JSON array. */
  ingest: () => '/ingest',
  /** The live feed of events that match a search, as server-sent events. */
  live: (view: { q?: string; after?: number } = {}) => withQuery('/live', view),
  /** Where Sixpane's own browser code reports a failure. */
  report: () => '/report',
  livez: () => '/livez',
  readyz: () => '/readyz',
  asset: (name: string) => `/assets/${name}`,
}

export type ActivitiesView = {
  q?: string | undefined
  range?: Range | undefined
  /** Show the events older than this cursor. */
  before?: string | undefined
  /** Show the events newer than this cursor. */
  after?: string | undefined
  /** The id of the event that is open. */
  event?: number | undefined
}

export const routeSorts = ['slowest', 'failing', 'busiest'] as const
export type RouteSort = (typeof routeSorts)[number]

export type DashboardView = {
  service?: string | undefined
  range?: Range | undefined
  /** Which routes stand first. */
  sort?: RouteSort | undefined
}

export type DevelopmentView = {
  failure?: string | undefined
  /** A digest that was looked up. */
  digest?: string | undefined
  sort?: 'newest' | 'frequent' | undefined
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

function withQuery(path: string, query: Record<string, string | number | undefined>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') params.set(name, String(value))
  }
  const text = params.toString()
  return text === '' ? path : `${path}?${text}`
}
