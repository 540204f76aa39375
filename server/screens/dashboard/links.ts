import { paths } from '../../../shared/paths.ts'
import { quoted } from '../../../shared/query.ts'
import type { Window } from '../../../shared/range.ts'

/** Whose requests: left out means anyone's, `null` that the event names none. */
export type RequestOf = { service?: string; method?: string | null; route?: string | null }

/** The URL of the very events that a figure of requests counts, or of those among them that failed. */
export function requestsHref(of: RequestOf, window: Window, only: 'all' | 'errors' = 'all'): string {
  return requestsOver(of, only)(window)
}

/** Durations from one, inclusive, to another, exclusive; an end that is left out is open. */
type DurationBand = { fromMs?: number | undefined; toMs?: number | undefined }

/** The same for many windows. */
export function requestsOver(of: RequestOf, only: 'all' | 'errors'): (window: Window) => string {
  return paths.activitiesOver(searchFor(of, only))
}

/** The search for the requests that took as long, or for all or those that failed. */
export function searchFor(
  of: RequestOf,
  only: 'all' | 'errors',
  { fromMs, toMs }: DurationBand = {},
): string {
  const terms = [
    term('service', of.service),
    term('method', of.method),
    term('route', of.route),
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
