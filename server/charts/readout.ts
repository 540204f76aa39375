import { type Html, html } from '../html/html.ts'
import type { Bucket } from './buckets.ts'
import type { SeriesChart } from './series-types.ts'
import { valueFormats } from './values.ts'

/**
 * Draws one invisible area per bucket. Its tooltip shows the values of the bucket, and it is a link if the chart has
 * links. The areas are not in the tab order, because the table has the same values and links.
 */
export function drawReadouts(chart: SeriesChart, buckets: Bucket[], height: number): Html {
  const { exact } = valueFormats[chart.format]
  const places = buckets.map((bucket, index) => {
    const text = (value: number | null | undefined) => (value == null ? '–' : exact(value))
    const lines = chart.series.map(({ name, values, previousValues }) => {
      const previous = previousValues === undefined ? '' : `, previously ${text(previousValues[index])}`
      return `${name}: ${text(values[index])}${previous}`
    })
    const markerTexts = (chart.markers ?? [])
      .filter(({ ms }) => ms >= bucket.fromMs && ms < bucket.toMs)
      .map(({ tooltip }) => tooltip)
    const place = html`<rect x="${index}"/><title>${[bucket.label, ...lines, ...markerTexts].join('\n')}</title>`
    return bucket.href === null
      ? html`<g>${place}</g>`
      : html`<a href="${bucket.href}" tabindex="-1">${place}</a>`
  })
  return html`<svg class="chart-read" width="100%" height="${height}" viewBox="0 0 ${Math.max(buckets.length, 1)} ${height}" preserveAspectRatio="none" aria-hidden="true">${places}</svg>`
}

/** Returns the text alternative of the chart: the peak of each series. */
export function describe({ title, unit, format, series }: SeriesChart, buckets: Bucket[]): string {
  const { exact } = valueFormats[format]
  const peaks = series.map(({ name, values }) => {
    const known = values.filter(value => value !== null)
    if (known.length === 0) return `${name}: no values`
    const highest = Math.max(...known)
    return `${name}: highest ${exact(highest)} at ${buckets[values.indexOf(highest)]?.label ?? ''}`
  })
  return `${title}, ${unit}. ${peaks.join('; ')}`
}
