import { maxJsonDepth, parseJson } from '../parse-json.ts'

/** The record in a line of a body. Line numbers start at 1. */
export type RecordLine = { line: number; record: object }
type ReadLine = RecordLine | { line: number; reason: string }

/** Longer lines are rejected. */
export const maxLineBytes = 1024 * 1024
const lineFeed = 0x0a

/**
 * Reads the records of a body: one JSON object per line (NDJSON, with LF or CRLF; a byte order mark and empty lines are
 * ignored), a JSON array of objects, whose elements count as lines, or one JSON object over several lines. Invalid UTF-8
 * becomes U+FFFD, because a damaged line is better than none.
 */
export function* readLines(body: Buffer): Generator<ReadLine> {
  const start = firstOf(body)
  if (start === -1) return
  // The first line of an array, or of an object over several lines, is not JSON.
  const end = body.indexOf(lineFeed, start)
  const first = opensArray(body) ? null : readLine(body.subarray(start, end === -1 ? body.length : end), 1)
  if (first === null || 'reason' in first) {
    const whole = parseJson(body)
    if (Array.isArray(whole)) {
      yield* readArray(whole)
      return
    }
    if (isRecord(whole)) {
      yield { line: 1, record: whole }
      return
    }
  }
  yield* readEachLine(body)
}

function* readArray(values: readonly unknown[]): Generator<ReadLine> {
  for (const [index, value] of values.entries()) {
    yield isRecord(value)
      ? { line: index + 1, record: value }
      : { line: index + 1, reason: 'The element is not a JSON object' }
  }
}

function* readEachLine(body: Buffer): Generator<ReadLine> {
  let line = 1
  for (let from = 0; from < body.length; ) {
    const byte = body[from]
    if (byte === lineFeed || byte === 0x0d || byte === 0x20) {
      // A body may have millions of empty lines, which must not delay other requests.
      if (byte === lineFeed) line += 1
      from += 1
      continue
    }
    const end = body.indexOf(lineFeed, from)
    const to = end === -1 ? body.length : end
    const read = readLine(body.subarray(from, to), line)
    if (read !== null) yield read
    from = to
  }
}

function readLine(bytes: Buffer, line: number): ReadLine | null {
  if (bytes.length > maxLineBytes) return { line, reason: `The line is longer than ${maxLineBytes} bytes` }
  if (firstOf(bytes) === -1) return null
  const value = parseJson(bytes)
  if (value === undefined) return { line, reason: invalidReason(bytes) }
  return isRecord(value) ? { line, record: value } : { line, reason: 'The line is JSON, but not an object' }
}

function invalidReason(bytes: Buffer): string {
  return opensArray(bytes)
    ? `The array is incomplete, not JSON, or nested deeper than ${maxJsonDepth} levels`
    : `The line is not JSON, or nested deeper than ${maxJsonDepth} levels`
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function opensArray(bytes: Buffer): boolean {
  return bytes[firstOf(bytes)] === '['.charCodeAt(0)
}

/** The index of the first byte that is neither white space nor part of a byte order mark, or -1. */
function firstOf(bytes: Buffer): number {
  return bytes.findIndex(byte => byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf)
}
