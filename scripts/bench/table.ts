import { tableOf } from '../markdown.ts'
import type { Breakdown } from './profile.ts'
import type { Row } from './rows.ts'

/** Formats the rows as a Markdown table. */
export function markdownTable(rows: readonly Row[]): string {
  const lines = rows.map(({ metric, unit, value, references, goal, isMet }) => [
    metric,
    `${numberText(value)} ${unit}`,
    references.map(({ name, value }) => `${numberText(value)} ${unit} (${name})`).join('; '),
    references.map(({ ratio }) => `${numberText(ratio)}×`).join('; '),
    goal ?? '',
    isMet === null ? '' : isMet ? 'met' : 'not met',
  ])
  return tableOf([['metric', 'value', 'reference in the same run', 'ratio', 'goal', 'met'], ...lines])
}

/** Formats the steps of a page or an event as a Markdown table. */
export function breakdownTable({ title, unit, totalUs, steps }: Breakdown): string {
  const lines = steps.map(({ name, durationUs }) => [
    name,
    numberText(durationUs),
    `${Math.round((durationUs / totalUs) * 100)}%`,
  ])
  return tableOf([[title, `µs per ${unit}`, 'share'], ...lines, ['all threads', numberText(totalUs), '100%']])
}

/**
 * Rounds values of 100 or more to integers, and others to two significant digits, because a third digit would not be
 * reproducible.
 */
function numberText(value: number): string {
  return value.toLocaleString(
    'en',
    value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 2 },
  )
}
