import { isSpan, type Range, type Span } from './range.ts'
import { parseTimeExpression } from './time-expression.ts'
import { instantOf } from './zoned-time.ts'

/** The parameters of a URL that select its time range. */
export const rangeParams = ['range', 'from', 'to', 'time'] as const

/**
 * Parses the range in a query string: `range=90m`, `time=yesterday 14:00` (see `parseTimeExpression`), or `from` and `to` as
 * ISO 8601 (in the time zone, unless they contain an offset) or epoch milliseconds. Replaces an invalid range with the
 * default, so that no link shows an error.
 */
export function parseRange(
  params: URLSearchParams,
  { range, timeZone }: { range: Span; timeZone: string },
  nowMs: number,
): Range {
  const time = params.get('time')
  const typed = time === null ? null : parseTimeExpression(time, { nowMs, timeZone })
  if (typed !== null) return typed
  const fromMs = instantOf(params.get('from') ?? '', timeZone)
  const toMs = instantOf(params.get('to') ?? '', timeZone)
  if (fromMs !== null && toMs !== null && fromMs < toMs) return { fromMs, toMs }
  const span = params.get('range')
  return { span: isSpan(span) ? span : range }
}

/** Returns the visitor's input for the time range in a query string if it is invalid; otherwise `null`. */
export function unreadRangeOf(
  params: URLSearchParams,
  now: { nowMs: number; timeZone: string },
): { time: string } | { from: string; to: string } | null {
  const time = params.get('time')
  if (time !== null) return parseTimeExpression(time, now) === null ? { time } : null
  const [from, to] = [params.get('from'), params.get('to')]
  if (from === null || to === null) return null
  const [fromMs, toMs] = [from, to].map(text => instantOf(text, now.timeZone) ?? Number.NaN)
  return Number(fromMs) < Number(toMs) ? null : { from, to }
}
