import { formatDuration } from './format.ts'

export const vitalNames = ['LCP', 'INP', 'CLS', 'TTFB'] as const
export type VitalName = (typeof vitalNames)[number]
export type VitalRating = 'good' | 'needs improvement' | 'poor'

/**
 * The description and thresholds of each metric. Values up to `good` are good, and values above `poor` are poor. Thresholds
 * are in milliseconds, except for CLS, which is a score. Sources: https://web.dev/articles/lcp, https://web.dev/articles/inp,
 * https://web.dev/articles/cls, https://web.dev/articles/ttfb. Ratings apply to the 75th percentile:
 * https://web.dev/articles/defining-core-web-vitals-thresholds
 */
export const vitals: Readonly<Record<VitalName, { words: string; good: number; poor: number }>> = {
  LCP: { words: 'Largest Contentful Paint: time until the main content is visible', good: 2500, poor: 4000 },
  INP: { words: 'Interaction to Next Paint: how fast the page responds to input', good: 200, poor: 500 },
  CLS: { words: 'Cumulative Layout Shift: how much the layout moves unexpectedly', good: 0.1, poor: 0.25 },
  TTFB: { words: 'Time to First Byte: how fast the server responds', good: 800, poor: 1800 },
}

export function ratingOf(name: VitalName, p75: number): VitalRating {
  const { good, poor } = vitals[name]
  if (p75 <= good) return 'good'
  return p75 <= poor ? 'needs improvement' : 'poor'
}

/** `1.24 s`; `0.12` for CLS. */
export function formatVital(name: VitalName, value: number): string {
  return name === 'CLS' ? String(Number(value.toFixed(3))) : formatDuration(value)
}
