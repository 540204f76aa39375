import type { Json } from '../../shared/event.ts'
import type { JsonSpan } from './json-cursor.ts'

/** JSON.parse takes seconds for millions of levels, and recursive functions can process only a few thousand. */
export const maxJsonDepth = 1000
/** A record with more values would block other requests for too long. An event stores at most half as many. */
export const maxJsonValues = 20_000
/** Longer records are rejected. */
export const maxRecordBytes = 1024 * 1024

/** The part of an error message that explains why `parseJson` returned `undefined`. */
export const invalidJson = `not JSON, nested deeper than ${maxJsonDepth} levels, or has more than ${maxJsonValues} values`

/**
 * Parses JSON. Returns `undefined` if the text is invalid, or has too many levels or values.
 * @param span the bytes to parse, by default all; faster than creating a `subarray` for each value
 */
export function parseJson(json: string | Buffer, span?: JsonSpan): Json | undefined {
  try {
    const text = typeof json === 'string' ? json : decode(json, span)
    return isWithin(text, { levels: maxJsonDepth, values: maxJsonValues }) ? JSON.parse(text) : undefined
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
const backslash = 0x5c
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

function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end - 1
    while (json.charCodeAt(before) === backslash) before -= 1
    if ((end - before) % 2 === 1) return end
  }
  return json.length
}
