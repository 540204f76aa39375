import { formatDate, formatTime } from '../../shared/format.ts'
import type { Window } from '../../shared/range.ts'
import { type Html, html } from './html.ts'
import type { SeriesChart } from './series.ts'

/** One bucket of a chart: when it is, as the chart says it, and where its link leads, escaped. */
export type Bucket = Window & { label: string; href: Html | null }

/** The buckets of a chart, oldest first: as many as the longest series has numbers. */
export function bucketsOf({ window, bucketMs, series, clock, hrefFor }: SeriesChart): Bucket[] {
  const count = Math.max(...series.map(({ values }) => values.length), 0)
  const precision = bucketMs < 60_000 ? 'second' : 'minute'
  const oneDay = formatDate(window.fromMs, clock) === formatDate(window.toMs - 1, clock)
  return Array.from({ length: count }, (_, index) => {
    const fromMs = window.fromMs + index * bucketMs
    const bucket = { fromMs, toMs: fromMs + bucketMs }
    const time = formatTime(fromMs, clock, precision)
    return {
      ...bucket,
      label: oneDay ? time : `${formatDate(fromMs, clock).slice(5)} ${time}`,
      href: hrefFor === undefined ? null : html`${hrefFor(bucket)}`,
    }
  })
}
