import { numberPattern } from './number-pattern.ts'

const isNumber = new RegExp(numberPattern)

/** Converts decimal text to a number. Returns `null` for other text. */
export function toNumber(text: string): number | null {
  return isNumber.test(text) ? Number(text) : null
}
