/** The target of a metric: a limit for its value, or for the ratio of its value to the reference. */
export type Goal = { of: 'value' | 'ratio'; bound: 'at most' | 'at least'; limit: number }

export const atMost = (limit: number): Goal => ({ of: 'value', bound: 'at most', limit })
export const atLeast = (limit: number): Goal => ({ of: 'value', bound: 'at least', limit })
export const ratioAtMost = (limit: number): Goal => ({ of: 'ratio', bound: 'at most', limit })
export const ratioAtLeast = (limit: number): Goal => ({ of: 'ratio', bound: 'at least', limit })

export function isMet({ bound, limit }: Goal, number: number): boolean {
  return bound === 'at most' ? number <= limit : number >= limit
}

export function goalText({ of, bound, limit }: Goal, unit: string): string {
  const sign = bound === 'at most' ? '≤' : '≥'
  return of === 'ratio' ? `${sign} ${limit}×` : `${sign} ${limit.toLocaleString('en')} ${unit}`
}
