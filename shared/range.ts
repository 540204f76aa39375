import { dayMs, hourMs, minuteMs } from './duration-units.ts'

/** A relative time range, such as `90m`: a number of minutes, hours or days that ends now. */
export type Span = `${number}${keyof typeof unitMs}`

/** The relative ranges that pages link to. */
export const spans = [
  '5m',
  '15m',
  '30m',
  '1h',
  '3h',
  '6h',
  '12h',
  '24h',
  '2d',
  '7d',
  '30d',
] as const satisfies readonly Span[]

export type Range = { span: Span } | { fromMs: number; toMs: number }
/** A range of absolute times: `fromMs` is inclusive, `toMs` exclusive. */
export type Window = { fromMs: number; toMs: number }

const unitMs = { m: minuteMs, h: hourMs, d: dayMs } as const
const unitWords = { m: 'minute', h: 'hour', d: 'day' } as const
/** About a year. Only absolute ranges can be longer. */
const maxSpanMs = 366 * unitMs.d

/** The length of a relative range in milliseconds. */
export function spanLengthMs(span: Span): number {
  const [count, unit] = partsOf(span)
  return count * unitMs[unit]
}

/** `last 15 minutes`, `last hour` */
export function spanWords(span: Span): string {
  const [count, unit] = partsOf(span)
  return count === 1 ? `last ${unitWords[unit]}` : `last ${count} ${unitWords[unit]}s`
}

function partsOf(span: Span): [count: number, unit: keyof typeof unitMs] {
  const unit = span.at(-1)
  return [Number.parseInt(span, 10), unit === 'm' || unit === 'h' ? unit : 'd']
}

/** `last hour`, or `selected time range` for an absolute range. For use after the words `in the`. */
export function rangeWords(range: Range): string {
  return 'span' in range ? spanWords(range.span) : 'selected time range'
}

/** `hour`, `24 hours`; `period` for an absolute range. */
export function periodWords(range: Range): string {
  return 'span' in range ? spanWords(range.span).replace(/^last /, '') : 'period'
}

export function isSpan(value: unknown): value is Span {
  return typeof value === 'string' && hasSpanForm(value) && spanLengthMs(value) <= maxSpanMs
}

function hasSpanForm(value: string): value is Span {
  return /^[1-9]\d{0,5}[mhd]$/.test(value)
}

export function resolveRange(range: Range, nowMs: number): Window {
  return 'span' in range ? { fromMs: nowMs - spanLengthMs(range.span), toMs: nowMs } : range
}

/** The smallest window of whole milliseconds that contains both times. */
export function spanning(firstMs: number, lastMs: number): Window {
  return { fromMs: Math.floor(firstMs), toMs: Math.floor(lastMs) + 1 }
}
