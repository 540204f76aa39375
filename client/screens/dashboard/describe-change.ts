import type { StatChange } from '../../components/stat.tsx'

/** The words for a change. `times` follows a factor: "2.4 times as many". `moreIsWorse` is `null` if neither is worse. */
export type ChangeWords = { more: string; less: string; times: string; moreIsWorse: boolean | null }

export const countWords: ChangeWords = { more: 'more', less: 'fewer', times: 'as many', moreIsWorse: null }
export const rateWords: ChangeWords = { more: 'higher', less: 'lower', times: 'as high', moreIsWorse: null }
export const durationWords: ChangeWords = {
  more: 'slower',
  less: 'faster',
  times: 'as long',
  moreIsWorse: true,
}

/** `▲ 40% slower`, `▲ 2.4 times as long`, `as before`; `null` if there is nothing to compare. */
export function describeChange(
  now: number | null,
  before: number | null,
  words: ChangeWords,
): StatChange | null {
  if (now === null || before === null || before === 0) return null
  const ratio = now / before
  const part = Math.abs(ratio - 1)
  if (part < 0.005) return asBefore
  const text =
    ratio >= 2
      ? `${ratio < 10 ? ratio.toFixed(1) : Math.round(ratio)} times ${words.times}`
      : `${Math.round(part * 100)}% ${ratio > 1 ? words.more : words.less}`
  return change(text, ratio > 1, words.moreIsWorse)
}

/** `▲ 0.4 points higher`. Ratios are compared in percentage points, because a percentage of a percentage is confusing. */
export function describeRatioChange(now: number | null, before: number | null): StatChange | null {
  if (now === null || before === null || (now === 0 && before === 0)) return null
  const points = (now - before) * 100
  if (Math.abs(points) < 0.05) return asBefore
  const size = Math.abs(points)
  const rounded = size < 10 ? Number(size.toFixed(1)) : Math.round(size)
  const text = `${rounded} ${rounded === 1 ? 'point' : 'points'} ${points > 0 ? 'higher' : 'lower'}`
  return change(text, points > 0, true)
}

const asBefore: StatChange = { words: 'as before', direction: null, tone: 'muted' }

function change(words: string, isMore: boolean, moreIsWorse: boolean | null): StatChange {
  const tone = moreIsWorse === null ? 'neutral' : moreIsWorse === isMore ? 'bad' : 'ok'
  return { words, direction: isMore ? 'up' : 'down', tone }
}
