import type { Comparison } from '../../../shared/query.ts'
import { type Severity, severities } from '../../../shared/severity.ts'

/**
 * Returns the severities that a term matches. `=` supports wildcards. The other comparisons use the severity order,
 * relative to the first severity that `value` matches.
 */
export function matchingSeverities(comparison: Comparison, value: string): Severity[] {
  if (!/^[a-z*]+$/i.test(value)) return []
  const pattern = new RegExp(`^${value.replaceAll(/\*+/g, '.*')}$`, 'i')
  const bound = severities.findIndex(severity => pattern.test(severity))
  return severities.filter((severity, rank) =>
    comparison === '=' ? pattern.test(severity) : bound >= 0 && compare(rank, comparison, bound),
  )
}

export function compare(left: number, comparison: Comparison, right: number): boolean {
  switch (comparison) {
    case '=':
      return left === right
    case '<':
      return left < right
    case '<=':
      return left <= right
    case '>':
      return left > right
    case '>=':
      return left >= right
  }
}
