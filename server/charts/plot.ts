import {
  type ChartPlot,
  completeColumnsOf,
  type MapPlot,
  type PlotTimes,
  type SeriesPlot,
} from '../../shared/chart-plot.ts'
import { type Html, html } from '../html/html.ts'
import { percent } from './axis.ts'
import type { Bucket } from './buckets.ts'
import type { HeatMap } from './heat-map-types.ts'
import type { SeriesChart } from './series-types.ts'

/** Returns the values of a chart, for drawing and for the browser. */
export function seriesPlot(chart: SeriesChart, buckets: readonly Bucket[]): SeriesPlot {
  const { kind, format, moreIsWorse = false, series, eventsHref } = chart
  // Keeps counts exact, and rounds other values to the digits that a chart shows, which makes the page smaller.
  const rounded = (value: number | null) =>
    value === null || format === 'count' ? value : Number(value.toPrecision(3))
  return {
    kind,
    format,
    ...(moreIsWorse ? { moreIsWorse } : {}),
    ...timesOf(chart, buckets),
    ...(eventsHref === undefined ? {} : { eventsHref }),
    series: series.map(({ name, tone, values, previousValues }) => ({
      name,
      tone,
      values: values.map(rounded),
      ...(previousValues === undefined ? {} : { previousValues: previousValues.map(rounded) }),
    })),
  }
}

export function mapPlot(map: HeatMap, columns: number): MapPlot {
  const { noun, bands, rows } = map
  const start = commonPrefix(bands.map(({ searchHref }) => searchHref))
  return {
    kind: 'map',
    noun,
    ...timesOf(
      map,
      Array.from({ length: columns }, (_, index) => ({ fromMs: map.window.fromMs + index * map.bucketMs })),
    ),
    eventsHref: start,
    bands: bands.map(({ label, searchHref }, index) => ({
      label,
      search: searchHref.slice(start.length),
      counts: rows[index] ?? [],
    })),
  }
}

/** Returns the longest common prefix of the texts. */
function commonPrefix([first = '', ...others]: string[]): string {
  let length = first.length
  while (others.some(other => !other.startsWith(first.slice(0, length)))) length -= 1
  return first.slice(0, length)
}

type Timeline = Pick<SeriesChart, 'window' | 'bucketMs' | 'nowMs'>

export function timesOf(
  { window, bucketMs, nowMs }: Timeline,
  buckets: readonly Pick<Bucket, 'fromMs'>[],
): PlotTimes {
  const isEven = buckets.every(({ fromMs }, index) => fromMs === window.fromMs + index * bucketMs)
  const times = {
    window,
    bucketMs,
    columns: buckets.length,
    ...(isEven ? {} : { startsMs: buckets.map(({ fromMs }) => fromMs) }),
  }
  return { ...times, completeColumns: completeColumnsOf(times, nowMs) }
}

/** Draws stripes over the incomplete columns. */
export function drawIncomplete(
  name: string,
  { kind, columns, completeColumns }: ChartPlot,
  height: number,
): Html | null {
  if (completeColumns >= columns) return null
  const share = completeColumns / columns
  const stripes = `${name}-stripes`
  // Wide stripes would hide thin lines.
  const wideStripe = kind === 'line' || kind === 'area' ? null : html`<rect width="3" height="6"/>`
  return html`<svg class="chart-incomplete" width="100%" height="${height}" aria-hidden="true"><pattern id="${stripes}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">${wideStripe}<rect x="4" width="1" height="6"/></pattern><rect x="${percent(share)}" width="${percent(1 - share)}" height="100%" fill="url(#${stripes})"/></svg>`
}

/**
 * Draws an invisible link over a plot. The link opens the chart's table or, with JavaScript, the events behind the value
 * under the pointer (client/components/chart-figure.ts).
 */
export function drawTarget(tableHref: string, height: number): Html {
  return html`<svg class="chart-target" width="100%" height="${height}" aria-hidden="true"><a href="${tableHref}" tabindex="-1"><rect width="100%" height="100%"/></a></svg>`
}

export function drawTableLink(tableHref: string): Html {
  return html`<a class="chart-to-table" href="${tableHref}">Table</a>`
}
