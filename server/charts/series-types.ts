import type { PlotSeries, SeriesPlot, ValueFormat } from '../../shared/chart-plot.ts'
import type { Clock } from '../../shared/preferences.ts'
import type { Window } from '../../shared/range.ts'
import type { Severity } from '../../shared/severity.ts'
import type { Marker } from './markers.ts'

/** The name of a colour in the style sheet (client/components/tone.css). */
type SeriesTone = 'accent' | 'strong' | 'neutral' | 'muted' | 'ok' | 'warn' | 'bad' | Severity

export type Series = PlotSeries & { tone: SeriesTone }

/** The input of `drawSeries`. */
export type SeriesChart = {
  /** Unique on the page, because hydration finds the chart by its name. */
  name: string
  title: string
  unit: string
  window: Window
  clock: Clock
  /** Buckets that are not over yet are drawn as incomplete. */
  nowMs: number
  bucketMs: number
  series: Series[]
  format: ValueFormat
  kind: SeriesPlot['kind']
  /** Whether higher values are worse. */
  moreIsWorse?: boolean
  /** Releases to mark on the time axis, newest first. */
  markers?: readonly Marker[]
  /** Turns each bucket into a link. */
  hrefFor?: ((bucket: Window) => string) | undefined
  /** The start of the link URLs that the browser creates. The browser appends the time range of a bucket. */
  eventsHref?: string | undefined
  /** The URL of the table page. If omitted, the chart contains its table. */
  tableHref?: string | undefined
}
