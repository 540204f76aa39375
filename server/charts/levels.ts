import { formatCount } from '../../shared/format.ts'

/** More shades cannot be told apart by eye. */
const maxShades = 6

/**
 * Where each shade begins, for counts up to `highest`; the least is always 1. Counts of requests are spread over
 * orders of magnitude: by equal steps the few slow ones would share a shade with much more, by equal factors all of the
 * busy middle would be as dark as its peak. This stands between the two.
 */
export function levelsFor(highest: number): number[] {
  if (highest <= maxShades) return Array.from({ length: Math.max(highest, 1) }, (_, index) => index + 1)
  const starts = Array.from({ length: maxShades }, (_, index) =>
    Math.max(1, Number((highest * (index / maxShades) ** 2.5).toPrecision(1))),
  )
  return [...new Set(starts)]
}

/** The shade of a count, from 1 up to `levels.length`. */
export function levelOf(count: number, levels: readonly number[]): number {
  return levels.filter(start => start <= count).length
}

/** The shade as the style sheet knows it: the darkest of a few is as dark as that of many. */
export function shadeOf(level: number, levels: readonly number[]): number {
  return maxShades - levels.length + level
}

/** `1–3`, `4`: the counts of a shade. */
export function levelWords(level: number, levels: readonly number[], highest: number): string {
  const from = levels[level - 1] ?? 1
  const to = (levels[level] ?? highest + 1) - 1
  return to <= from ? formatCount(from) : `${formatCount(from)}–${formatCount(to)}`
}
