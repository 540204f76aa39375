import type { PlotTimes } from './chart-plot.ts'
import { dayMs } from './duration-units.ts'
import { formatDate, formatDay, formatDayTime, formatTime, localTimeMs } from './format.ts'
import type { Clock } from './preferences.ts'

/**
 * Formats the start of a column: `14:03`, with the date if the chart covers several days. If the column consists of whole
 * days in the visitor's time zone, the label is only the date.
 */
export function columnLabel(
  fromMs: number,
  { window, bucketMs }: Pick<PlotTimes, 'window' | 'bucketMs'>,
  clock: Clock,
): string {
  if (isDayStart(fromMs, bucketMs, clock)) return formatDay(fromMs, clock)
  const precision = bucketMs < 60_000 || window.fromMs % 60_000 !== 0 ? 'second' : 'minute'
  const isOneDay = formatDate(window.fromMs, clock) === formatDate(window.toMs - 1, clock)
  return isOneDay ? formatTime(fromMs, clock, precision) : formatDayTime(fromMs, clock, precision)
}

/** Formats the end of selected columns. If they consist of whole days, the label is the last day. */
export function endLabel(toMs: number, plot: Pick<PlotTimes, 'window' | 'bucketMs'>, clock: Clock): string {
  return isDayStart(toMs, plot.bucketMs, clock) ? formatDay(toMs - 1, clock) : columnLabel(toMs, plot, clock)
}

function isDayStart(ms: number, bucketMs: number, clock: Clock): boolean {
  return bucketMs % dayMs === 0 && localTimeMs(ms, clock) % dayMs === 0
}
