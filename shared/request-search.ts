import { paths } from './paths.ts'
import { quoted } from './query.ts'
import type { Window } from './range.ts'
import type { VitalName } from './vitals.ts'

/** A filter for requests. An omitted field matches any value; `null` matches only events without the field. */
export type RequestTerms = { service?: string; method?: string | null; route?: string | null }

/** Returns the URL of a search for exactly the counted requests, or only the failed ones. */
export function requestsHref(filter: RequestTerms, window: Window, only: 'all' | 'errors' = 'all'): string {
  return searchHref(searchFor(filter, only), window)
}

/**
 * Returns the URL of a search for the requests that took at least as long as a percentile. The search starts 1.5% below the
 * percentile, because a percentile is accurate to 1%, and rounding to three digits changes it by up to 0.5%. Otherwise, the
 * search could omit all requests if their durations are similar.
 */
export function slowRequestsHref(filter: RequestTerms, window: Window, percentileMs: number): string {
  const fromMs = Number((0.985 * percentileMs).toPrecision(3))
  return searchHref(searchFor(filter, 'all', { fromMs }), window)
}

/** Returns the URL of a search for exactly the counted reports of a Web Vital. */
export function vitalHref(
  { service, route }: { service: string; route: string | null },
  name: VitalName,
  window: Window,
): string {
  const q = `${term('service', service)} ${term('route', route)} vital.name:${name} vital.value:>=0 (source:browser OR source:own OR source:sentry)`
  return searchHref(q, window)
}

/** Returns the URL of a search for the events that count a release's crashed sessions. */
export function crashedSessionsHref(
  { service, release }: { service: string; release: string | null },
  window: Window,
): string {
  const q = `${term('service', service)} ${term('release', release)} sessions.crashed:>0 source:sentry`
  return searchHref(q, window)
}

/** Returns the URL of a search for the events of a release. */
export function releaseHref(
  { service, release }: { service: string; release: string },
  window: Window,
): string {
  return searchHref(`${term('service', service)} ${term('release', release)}`, window)
}

/** Caches the URL parameters of each window, because all links on a page share one window. */
const windowTexts = new WeakMap<Window, string>()

function searchHref(q: string, window: Window): string {
  let windowText = windowTexts.get(window)
  if (windowText === undefined) {
    windowText = paths.activitiesUrlParts.window(window)
    windowTexts.set(window, windowText)
  }
  return paths.activitiesUrlParts.search(q) + windowText
}

/** A range of durations: `fromMs` is inclusive, `toMs` exclusive. If one is omitted, the range has no limit on that side. */
type DurationBand = { fromMs?: number | undefined; toMs?: number | undefined }

/** Returns a search for all requests, or only failed ones, optionally with durations in a range. */
export function searchFor(
  filter: RequestTerms,
  only: 'all' | 'errors',
  { fromMs, toMs }: DurationBand = {},
): string {
  const terms = [
    term('service', filter.service),
    term('method', filter.method),
    term('route', filter.route),
    only === 'errors' ? 'status:>=500' : 'status:*',
    ...(fromMs === undefined ? [] : [`duration:>=${fromMs}`]),
    ...(toMs === undefined ? [] : [`duration:<${toMs}`]),
    fromMs === undefined && toMs === undefined ? 'duration:*' : null,
  ]
  return terms.filter(text => text !== null).join(' ')
}

function term(field: string, value: string | null | undefined): string | null {
  if (value === undefined) return null
  return value === null ? `-${field}:*` : `${field}:${quoted(value)}`
}
