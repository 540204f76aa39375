import { columnLabel } from '../../shared/chart-label.ts'
import type { Window } from '../../shared/range.ts'
import { type Html, html } from '../html/html.ts'
import type { SeriesChart } from './series-types.ts'

/** One chart bucket with its time range, label and escaped link URL. */
export type Bucket = Window & { label: string; href: Html | null }

type Times = Pick<SeriesChart, 'window' | 'bucketMs' | 'clock'>

/**
 * Returns the buckets of a chart, oldest first. The last one ends with the window, because its values do not include later
 * times. The buckets have no links yet.
 */
export function bucketsOf({ window, bucketMs, clock }: Times, count: number): Bucket[] {
  return Array.from({ length: count }, (_, index) => {
    const fromMs = window.fromMs + index * bucketMs
    const label = columnLabel(fromMs, { window, bucketMs }, clock)
    return { fromMs, toMs: Math.min(fromMs + bucketMs, window.toMs), label, href: null }
  })
}

/** Returns the label of a bucket. Marks incomplete buckets, because their values cannot be compared with those of others. */
export function labelOf({ label }: Pick<Bucket, 'label'>, isComplete: boolean): string {
  return isComplete ? label : `${label}, incomplete`
}

/** Adds links to the buckets. */
export function withLinks(buckets: Bucket[], hrefFor: (bucket: Window) => string): Bucket[] {
  return buckets.map(bucket => ({ ...bucket, href: html`${hrefFor(bucket)}` }))
}
