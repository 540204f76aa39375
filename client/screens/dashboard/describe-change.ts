import { formatCount, pluralise } from '../../../shared/format.ts'
import type { StatChange } from '../../components/stat.tsx'

/** `times` follows a factor: "2.4 times as many". `moreIsWorse` is `null` if neither direction is bad. */
export type ChangeWords = { more: string; less: string; times: string; moreIsWorse: boolean | null }

export const countWords: ChangeWords = { more: 'more', less: 'fewer', times: 'as many', moreIsWorse: null }
export const rateWords: ChangeWords = { more: 'higher', less: 'lower', times: 'as high', moreIsWorse: null }
export const durationWords: ChangeWords = {
  more: 'slower',
  less: 'faster',
  times: 'as long',
  moreIsWorse: true,
}

/** A smaller relative change is common and therefore neutral. */
const minNotableChange = 0.1

/** Describes a change, such as “40% slower” or “2.4 times as long”. Returns `null` if there is nothing to compare. */
export function describeChange(
  now: number | null,
  before: number | null,
  words: ChangeWords,
): StatChange | null {
  if (now === null || before === null || before === 0) return null
  const ratio = now / before
  const relativeChange = Math.abs(ratio - 1)
  if (relativeChange < 0.005) return unchanged
  const percent =
    ratio > 0 && ratio < 0.01
      ? Math.min(Math.round(relativeChange * 1000) / 10, 99.9)
      : Math.round(relativeChange * 100)
  const text =
    ratio >= 2
      ? `${ratio < 10 ? ratio.toFixed(1) : formatCount(Math.round(ratio))} times ${words.times}`
      : `${percent}% ${ratio > 1 ? words.more : words.less}`
  return change(text, ratio > 1, relativeChange < minNotableChange ? null : words.moreIsWorse)
}

type Requests = { requests: number; errorRatio: number | null }

/**
 * Describes a change in the error rate, such as “0.4 points higher”. Uses percentage points, because a percentage of a
 * percentage is confusing. A difference of less than two standard errors may be due to chance and is therefore neutral
 * (https://www.itl.nist.gov/div898/handbook/prc/section3/prc33.htm).
 */
export function describeErrorRateChange(now: Requests, before: Requests): StatChange | null {
  if (now.errorRatio === null || before.errorRatio === null) return null
  if (now.errorRatio === 0 && before.errorRatio === 0) return null
  const difference = now.errorRatio - before.errorRatio
  const size = Math.abs(difference * 100)
  if (size < 0.05) return unchanged
  const rounded = size < 10 ? Number(size.toFixed(1)) : Math.round(size)
  const text = `${pluralise(rounded, 'point')} ${difference > 0 ? 'higher' : 'lower'}`
  const total = now.requests + before.requests
  const pooled = (now.errorRatio * now.requests + before.errorRatio * before.requests) / total
  const standardError = Math.sqrt(pooled * (1 - pooled) * (1 / now.requests + 1 / before.requests))
  return change(text, difference > 0, Math.abs(difference) < 2 * standardError ? null : true)
}

const unchanged: StatChange = { words: 'unchanged', direction: null, tone: 'muted' }

function change(words: string, isMore: boolean, moreIsWorse: boolean | null): StatChange {
  const tone = moreIsWorse === null ? 'neutral' : moreIsWorse === isMore ? 'bad' : 'ok'
  return { words, direction: isMore ? 'up' : 'down', tone }
}
