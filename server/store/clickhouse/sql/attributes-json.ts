import type { Json } from '../../../../shared/event.ts'

/** Matches only a few events, so the others are not searched for tokens. */
const mayHaveLongInteger = /[[:,](?:\d{20}|-\d{19})/
/** A JSON string, or a number. */
const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*/g

/**
 * Like `JSON.stringify`, but integers that need more than 64 bits end with `.0`. Otherwise, ClickHouse's JSON functions would
 * reject the whole text.
 */
export function attributesJson(attributes: Json): string {
  const json = JSON.stringify(attributes)
  return mayHaveLongInteger.test(json) ? json.replace(token, withFraction) : json
}

function withFraction(token: string): string {
  if (!/^-?\d+$/.test(token)) return token
  const integer = Number(token)
  // `JSON.stringify` writes -(2 ** 63) as a smaller integer.
  return integer >= 2 ** 64 || integer <= -(2 ** 63) ? `${token}.0` : token
}
