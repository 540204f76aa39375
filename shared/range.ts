/** The relative time ranges. */
export const spans = ['15m', '1h', '6h', '24h', '7d', '30d'] as const
export type Span = (typeof spans)[number]

export type Range = { span: Span } | { fromMs: number; toMs: number }
/** A range of absolute times: `fromMs` is inclusive, `toMs` exclusive. */
export type Window = { fromMs: number; toMs: number }

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

export const spanMs: Readonly<Record<Span, number>> = {
  '15m': 15 * unitMs.m,
  '1h': unitMs.h,
  '6h': 6 * unitMs.h,
  '24h': unitMs.d,
  '7d': 7 * unitMs.d,
  '30d': 30 * unitMs.d,
}

export const spanWords: Readonly<Record<Span, string>> = {
  '15m': 'last 15 minutes',
  '1h': 'last hour',
  '6h': 'last 6 hours',
  '24h': 'last 24 hours',
  '7d': 'last 7 days',
  '30d': 'last 30 days',
}

/** `hour`, `24 hours`; `period` for an absolute range. */
export function periodWords(range: Range): string {
  return 'span' in range ? spanWords[range.span].replace(/^last /, '') : 'period'
}

export function isSpan(value: unknown): value is Span {
  return typeof value === 'string' && spans.some(span => span === value)
}

/**
 * Parses the range in a query string: `range=1h`, or `from` and `to` as ISO 8601 or epoch milliseconds. Replaces an invalid
 * range with the default, so that no link shows an error.
 */
export function parseRange(params: URLSearchParams, defaultSpan: Span): Range {
  const fromMs = instant(params.get('from'))
  const toMs = instant(params.get('to'))
  if (fromMs !== null && toMs !== null && fromMs < toMs) return { fromMs, toMs }
  const span = params.get('range')
  return { span: isSpan(span) ? span : defaultSpan }
}

export function resolveRange(range: Range, nowMs: number): Window {
  return 'span' in range ? { fromMs: nowMs - spanMs[range.span], toMs: nowMs } : range
}

/** The smallest window of whole milliseconds that contains both times. */
export function spanning(firstMs: number, lastMs: number): Window {
  return { fromMs: Math.floor(firstMs), toMs: Math.floor(lastMs) + 1 }
}

function instant(text: string | null): number | null {
  if (text === null || text === '') return null
  const ms = /^\d{9,15}$/.test(text) ? Number(text) : Date.parse(text)
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? ms : null
}
