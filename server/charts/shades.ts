import { formatCount } from '../../shared/format.ts'

/** People cannot reliably distinguish more shades. */
const maxShades = 6

/**
 * Returns the lowest count of each shade, for counts up to `highest`. The first is always 1. Request counts span orders
 * of magnitude: on a linear scale, all small counts would share one shade; on a logarithmic scale, every busy period
 * would be as dark as the peak. A power scale with exponent 2.5 is a compromise.
 */
export function shadeStarts(highest: number): number[] {
  if (highest <= maxShades) return Array.from({ length: Math.max(highest, 1) }, (_, index) => index + 1)
  const starts = Array.from({ length: maxShades }, (_, index) =>
    Math.max(1, Number((highest * (index / maxShades) ** 2.5).toPrecision(1))),
  )
  return [...new Set(starts)]
}

/** Returns the shade of a count, from 1 to `starts.length`. */
export function shadeOf(count: number, starts: readonly number[]): number {
  return starts.filter(start => start <= count).length
}

/** Converts a shade to its number in the style sheet. The last shade always becomes the darkest one. */
export function styleSheetShade(shade: number, starts: readonly number[]): number {
  return maxShades - starts.length + shade
}

/** Formats the count range of a shade, such as `1–3` or `4`. */
export function formatShade(shade: number, starts: readonly number[], highest: number): string {
  const from = starts[shade - 1] ?? 1
  const to = (starts[shade] ?? highest + 1) - 1
  return to <= from ? formatCount(from) : `${formatCount(from)}–${formatCount(to)}`
}
