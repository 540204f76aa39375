import { nestsDeeperThan } from './nesting.ts'

/** A line of a body: the record it holds, or why it holds none. `line` counts from 1. */
export type ReadLine = { line: number; record: object } | { line: number; reason: string }

/** Longest line that is read, in bytes. */
export const longestLine = 1024 * 1024
const deepest = 1000
const lineFeed = 0x0a

/**
 * Reads the records of a body: one JSON object a line (NDJSON; CRLF, a byte order mark and empty lines are no
 * trouble), or one JSON array of objects, whose elements count as lines. One object over several lines is read
 * too, when the whole body is it. Invalid UTF-8 becomes U+FFFD: the line is still worth more than its refusal.
 */
export function* readLines(body: Buffer): Generator<ReadLine> {
  const start = firstOf(body)
  if (start === -1) return
  // An array has no lines, and one object over several lines none that can be read.
  const end = body.indexOf(lineFeed, start)
  const first = opensArray(body) ? null : readLine(body.subarray(start, end === -1 ? body.length : end), 1)
  if (first === null || 'reason' in first) {
    const whole = parse(body)
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
      : { line: index + 1, reason: 'The element is no JSON object' }
  }
}

function* readEachLine(body: Buffer): Generator<ReadLine> {
  let line = 1
  for (let from = 0; from < body.length; ) {
    const byte = body[from]
    if (byte === lineFeed || byte === 0x0d || byte === 0x20) {
      // A body may hold millions of empty lines: a look each, so that no other request waits for them.
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
  if (bytes.length > longestLine) return { line, reason: `The line is longer than ${longestLine} bytes` }
  if (firstOf(bytes) === -1) return null
  const value = parse(bytes)
  if (value === undefined) return { line, reason: whyUnread(bytes) }
  return isRecord(value) ? { line, record: value } : { line, reason: 'The line is JSON but no object' }
}

function whyUnread(bytes: Buffer): string {
  const isArray = opensArray(bytes)
  if (nestsDeeperThan(textOf(bytes), deepest)) {
    return `The ${isArray ? 'array' : 'line'} is nested deeper than ${deepest} levels`
  }
  return isArray ? 'The array is no JSON: its end may be missing' : 'The line is no JSON'
}

/** Gives the value of a JSON text, or `undefined` where it is none or nested without measure. */
function parse(bytes: Buffer): unknown {
  try {
    const text = textOf(bytes)
    return nestsDeeperThan(text, deepest) ? undefined : JSON.parse(text)
  } catch {
    // No JSON, or longer than a string can be.
    return undefined
  }
}

function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\ufeff/, '')
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function opensArray(bytes: Buffer): boolean {
  return bytes[firstOf(bytes)] === '['.charCodeAt(0)
}

/** Where the first byte is that is neither white space nor of a byte order mark; -1 where there is none. */
function firstOf(bytes: Buffer): number {
  return bytes.findIndex(byte => byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf)
}
