import { rangeQuery } from './paths.ts'
import { isSpan, type Range, type Span, type Window } from './range.ts'
import { parseTimeExpression } from './time-expression.ts'
import { instantOf, isLocalTime } from './zoned-time.ts'

/** The parameters of a URL that select its time range. */
export const rangeParams = ['range', 'from', 'to', 'time'] as const

/**
 * Parses the range in a query string: `range=90m`, `time=yesterday 14:00` (see `parseTimeExpression`), or `from` and `to` as
 * ISO 8601 (in `timeZone`, unless they contain an offset) or epoch milliseconds. Without `to`, the range ends now.
 * Replaces an invalid range with the default, so that every link to a screen works.
 */
export function parseRange(
  params: URLSearchParams,
  { range, timeZone }: { range: Span; timeZone: string },
  nowMs: number,
): Range {
  const time = params.get('time')
  const typed = time === null ? null : parseTimeExpression(time, { nowMs, timeZone })
  const span = params.get('range')
  return typed ?? windowOf(params, { nowMs, timeZone }) ?? { span: isSpan(span) ? span : range }
}

/** Returns the visitor's input for the time range in a query string if it is invalid; otherwise `null`. */
export function invalidRangeOf(params: URLSearchParams, now: Now): { time: string } | Ends | null {
  const time = params.get('time')
  if (time !== null) return parseTimeExpression(time, now) === null ? { time } : null
  const ends = endsOf(params)
  if (ends !== null) return windowOf(params, now) === null ? ends : null
  const span = params.get('range') ?? ''
  return span === '' || isSpan(span) ? null : { time: span }
}

/**
 * Replaces local times in a query string with instants, so that it selects the same range in every time zone. Durations and
 * whole relative days such as `yesterday` are unchanged. Returns `params` if nothing changes.
 */
export function withInstants(params: URLSearchParams, now: Now): URLSearchParams {
  const window = localWindow(params, now)
  if (window === null) return params
  const others = [...params].filter(([name]) => !rangeParams.some(each => each === name))
  const instants = new URLSearchParams([...others, ...Object.entries(rangeQuery(window))])
  // A range that ends now continues to do so.
  if (window.toMs === now.nowMs) instants.delete('to')
  return instants
}

/** Returns the window of a query string if it depends on the time zone, but neither is a duration nor a whole relative day. */
function localWindow(params: URLSearchParams, now: Now): Window | null {
  const time = params.get('time')
  if (time !== null) return typedWindow(time, now)
  const ends = Object.values(endsOf(params) ?? {})
  return ends.some(end => isLocalTime(withPlus(end))) ? windowOf(params, now) : null
}

function typedWindow(time: string, now: Now): Window | null {
  const range = parseTimeExpression(time, now)
  const isRelativeDay = /today|yesterday/i.test(time) && !time.includes(':')
  if (range === null || 'span' in range || isRelativeDay) return null
  // If the day in `2026-11-21` is not over, the range ends now. Its instants must include the rest of the day.
  const isUnfinishedDay = range.toMs === now.nowMs && !/now/i.test(time)
  return isUnfinishedDay ? typedWindow(`${time} to ${time}`, now) : range
}

type Now = { nowMs: number; timeZone: string }
type Ends = { from: string; to: string }

/** Returns the parameters `from` and `to`, either of which may be empty; `null` if there are none. */
function endsOf(params: URLSearchParams): Ends | null {
  const [from, to] = [params.get('from'), params.get('to')]
  return from === null && to === null ? null : { from: from ?? '', to: to ?? '' }
}

function windowOf(params: URLSearchParams, { nowMs, timeZone }: Now): Window | null {
  const ends = endsOf(params)
  if (ends === null) return null
  const fromMs = instantOf(withPlus(ends.from), timeZone)
  const toMs = params.has('to') ? instantOf(withPlus(ends.to), timeZone) : nowMs
  return fromMs !== null && toMs !== null && fromMs < toMs ? { fromMs, toMs } : null
}

/** Restores the `+` of an offset. If the URL contains it unencoded, it is decoded as a space. */
function withPlus(time: string): string {
  return time.replace(/(?<=:\d\d(?:\.\d+)?) (?=\d\d:?\d\d$)/, '+')
}
