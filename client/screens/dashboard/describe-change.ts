/** The words for a change. `times` follows a factor: "2.4 times as many". */
export type ChangeWords = { more: string; less: string; times: string }

export const countWords: ChangeWords = { more: 'more', less: 'fewer', times: 'as many' }
export const rateWords: ChangeWords = { more: 'higher', less: 'lower', times: 'as high' }
export const durationWords: ChangeWords = { more: 'slower', less: 'faster', times: 'as long' }

/** `40 % slower`, `2.4 times as long`, `as before`; `null` if there is nothing to compare. */
export function describeChange(now: number | null, before: number | null, words: ChangeWords): string | null {
  if (now === null || before === null || before === 0) return null
  const ratio = now / before
  if (ratio >= 2) return `${ratio < 10 ? ratio.toFixed(1) : Math.round(ratio)} times ${words.times}`
  const part = Math.abs(ratio - 1)
  if (part < 0.005) return 'as before'
  return `${Math.round(part * 100)} % ${ratio > 1 ? words.more : words.less}`
}

/** `0.4 points higher`. Ratios are compared in percentage points, because a percentage of a percentage is confusing. */
export function describeRatioChange(now: number | null, before: number | null): string | null {
  if (now === null || before === null || (now === 0 && before === 0)) return null
  const points = (now - before) * 100
  if (Math.abs(points) < 0.05) return 'as before'
  const size = Math.abs(points)
  const rounded = size < 10 ? Number(size.toFixed(1)) : Math.round(size)
  return `${rounded} ${rounded === 1 ? 'point' : 'points'} ${points > 0 ? 'higher' : 'lower'}`
}
