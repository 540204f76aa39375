import { paths } from '../../../shared/paths.ts'
import { quoted } from '../../../shared/query.ts'
import type { Window } from '../../../shared/range.ts'

/** A filter for requests. An omitted field matches any value; `null` matches only events without the field. */
export type RequestTerms = { service?: string; method?: string | null; route?: string | null }

/** The URL of a search that finds exactly the counted requests, or only the failed ones. */
export function requestsHref(filter: RequestTerms, window: Window, only: 'all' | 'errors' = 'all'): string {
  return requestsHrefForWindow(filter, only)(window)
}

/** A range of durations: `fromMs` is inclusive, `toMs` exclusive; an omitted limit is open. */
type DurationBand = { fromMs?: number | undefined; toMs?: number | undefined }

/** Like `requestsHref`, but returns a function that takes the window, for use with many windows. */
export function requestsHrefForWindow(
  filter: RequestTerms,
  only: 'all' | 'errors',
): (window: Window) => string {
  return paths.activitiesForWindow(searchFor(filter, only))
}

/** A search for all requests, or only failed ones, optionally within a range of durations. */
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
