import type { Window } from '../../shared/range.ts'
import type { Severity } from '../../shared/severity.ts'
import type { Marker } from './markers.ts'
import type { Clock } from './ticks.ts'
import type { ValueFormat } from './values.ts'

/** The name of a colour in the style sheet (client/components/chart.css). */
type SeriesTone = 'accent' | 'second' | 'third' | 'neutral' | 'muted' | 'ok' | 'warn' | 'bad' | Severity

type Values = (number | null)[]

/** One value per bucket. `null` means no value and breaks the line. */
export type Series = {
  name: string
  tone: SeriesTone
  values: Values
  /** The values of the previous period. Stacked charts do not show them. */
  previousValues?: Values | undefined
}

/** The input of `drawSeries`. */
export type SeriesChart = {
  /** Unique in the page, because hydration finds the chart by its name. */
  name: string
  title: string
  unit: string
  window: Window
  clock: Clock
  bucketMs: number
  series: Series[]
  format: ValueFormat
  kind: 'line' | 'bar' | 'stacked'
  /** Events to mark on the time axis, such as deployments. */
  markers?: readonly Marker[]
  /** Turns each bucket into a link. */
  hrefFor?: ((bucket: Window) => string) | undefined
  /** The URL of the table page. If omitted, the chart contains its table. */
  tableHref?: string | undefined
}
