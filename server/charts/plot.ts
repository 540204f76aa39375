import type { MapPlot, PlotTimes, SeriesPlot } from '../../shared/chart-plot.ts'
import { type Html, html } from '../html/html.ts'
import type { Bucket } from './buckets.ts'
import type { HeatMap } from './heat-map-types.ts'
import type { SeriesChart } from './series-types.ts'
import { valueFormats } from './values.ts'

type Timeline = Pick<SeriesChart, 'window' | 'bucketMs' | 'markers'>

/** Returns the columns and markers shared by all charts with these buckets. */
export function plotTimes({ window, bucketMs, markers = [] }: Timeline, buckets: Bucket[]): PlotTimes {
  return {
    window,
    bucketMs,
    labels: buckets.map(({ label }) => label),
    markers: markers.flatMap(({ ms, tooltip }) => {
      const column = buckets.findIndex(({ fromMs, toMs }) => ms >= fromMs && ms < toMs)
      return column === -1 ? [] : [{ column, tooltip }]
    }),
  }
}

/** @param search the first part of each column's URL */
export function seriesPlot(chart: SeriesChart, buckets: Bucket[], search: string | null): SeriesPlot {
  const { exact } = valueFormats[chart.format]
  const texts = (values: (number | null)[]) =>
    buckets.map((_, index) => {
      const value = values[index] ?? null
      return value === null ? '–' : exact(value)
    })
  return {
    kind: 'series',
    search,
    series: chart.series.map(({ name, values, previousValues }) => ({
      name,
      values: texts(values),
      ...(previousValues === undefined ? {} : { previousValues: texts(previousValues) }),
    })),
  }
}

export function mapPlot({ unit, bands, rows }: HeatMap): MapPlot {
  return {
    kind: 'map',
    unit,
    bands: bands.map(({ label, searchHref }, index) => ({
      label,
      search: searchHref,
      counts: rows[index] ?? [],
    })),
  }
}

/**
 * Draws an invisible link over a plot. The link opens the chart's table or, with JavaScript, the events of the value
 * under the pointer (client/components/plot.ts).
 */
export function drawTarget(tableHref: string, height: number): Html {
  return html`<svg class="chart-target" width="100%" height="${height}" aria-hidden="true"><a href="${tableHref}" tabindex="-1"><rect width="100%" height="100%"/></a></svg>`
}

export function drawTableLink(tableHref: string): Html {
  return html`<a class="chart-to-table" href="${tableHref}">Table</a>`
}
