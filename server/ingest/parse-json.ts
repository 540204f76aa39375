import type { Json } from '../../shared/event.ts'
import { endOfString, mayRoundIntegers, quoteUnsafeIntegers } from '../../shared/exact-integers.ts'
import type { JsonSpan } from './json-cursor.ts'

/** JSON.parse takes seconds for millions of levels, and recursive functions can process only a few thousand. */
const maxJsonDepth = 1000
/** A record with more values would block other requests for too long. An event stores at most half as many. */
export const maxJsonValues = 20_000
/** Longer records are rejected. */
export const maxRecordBytes = 1024 * 1024

/** The part of an error message that explains why `parseJson` returned `undefined`. */
export function invalidJson(maxValues = maxJsonValues): string {
  return `not JSON, nested deeper than ${maxJsonDepth} levels, or made of more than ${maxValues} values`
}

/**
 * Parses JSON. Integers that a number cannot represent exactly become text, because they are probably ids. Returns
 * `undefined` if the text is invalid, or has too many levels or values.
 * @param span the bytes to parse; default: all. Passing a span is faster than creating a `subarray` for each value.
 */
export function parseJson(
  json: string | Buffer,
  span?: JsonSpan,
  maxValues = maxJsonValues,
): Json | undefined {
  try {
    const text = typeof json === 'string' ? json : decode(json, span)
    if (!isWithin(text, { levels: maxJsonDepth, values: maxValues })) return undefined
    const value: Json = JSON.parse(text)
    if (!mayRoundIntegers(text)) return value
    const exact = quoteUnsafeIntegers(text)
    return exact === text ? value : JSON.parse(exact)
  } catch {
    return undefined
  }
}

const byteOrderMark = 0xfeff

function decode(bytes: Buffer, span: JsonSpan | undefined): string {
  const text = bytes.toString('utf8', span?.start, span?.end)
  return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text
}

const quote = 0x22
const comma = 0x2c

/** Whether JSON text has at most this many levels and values. Arrays and objects count as values, too. */
export function isWithin(json: string, { levels, values }: { levels: number; values: number }): boolean {
  if (json.length <= Math.min(levels, values)) return true
  let depth = 0
  let valueCount = 1
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index)
    if (code === quote) index = endOfString(json, index)
    // `[` and `{` differ in one bit, as do `]` and `}`.
    else if ((code | 0x20) === 0x7b) {
      depth += 1
      valueCount += 1
      if (depth > levels || valueCount > values) return false
    } else if ((code | 0x20) === 0x7d) depth -= 1
    else if (code === comma) {
      valueCount += 1
      if (valueCount > values) return false
    }
  }
  return true
}
