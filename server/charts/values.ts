import {
  formatCount,
  formatDuration,
  formatRate,
  formatRatio,
  formatShortCount,
} from '../../shared/format.ts'

export type ValueFormat = 'count' | 'rate' | 'ratio' | 'duration'

/** Number formats of charts: `exact` in tables, `short` on axes. */
export const valueFormats: Readonly<
  Record<ValueFormat, { exact: (value: number) => string; short: (value: number) => string }>
> = {
  count: { exact: formatCount, short: formatShortCount },
  rate: { exact: formatRate, short: formatRate },
  ratio: { exact: formatRatio, short: formatRatio },
  duration: { exact: formatDuration, short: formatDuration },
}
