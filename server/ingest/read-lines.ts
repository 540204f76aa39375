/** A line of a body: the record it holds, or why it holds none. `line` counts from 1. */
export type ReadLine = { line: number; record: object } | { line: number; reason: string }

/** Longest line that is read. */
export const longestLine = 1024 * 1024

/**
 * Reads the records of a body: one JSON object a line (NDJSON; CRLF, a byte order mark and empty lines are no
 * trouble), or one JSON array of objects, whose elements count as lines. One object over several lines is read
 * too, when the whole body is it.
 */
export function* readLines(body: Buffer): Generator<ReadLine> {
  // Invalid UTF-8 becomes U+FFFD: the line is still worth more than its refusal.
  const text = new TextDecoder().decode(body)
  const start = text.search(/\S/)
  if (start === -1) return
  if (text[start] === '[') {
    yield* readArray(text)
    return
  }
  const whole =
    text[start] === '{' && /^\s*\{[ \t]*\r?$/m.test(text.slice(0, start + 1000)) ? parse(text) : null
  if (whole !== null && isRecord(whole.value)) {
    yield { line: 1, record: whole.value }
    return
  }
  let line = 0
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const to = end === -1 ? text.length : end
    line += 1
    const each = text.slice(from, to)
    from = to + 1
    if (each.trim() !== '') yield readLine(each, line)
  }
}

function* readArray(text: string): Generator<ReadLine> {
  const parsed = parse(text)
  if (parsed === null || !Array.isArray(parsed.value)) {
    yield { line: 1, reason: 'The body begins as a JSON array and is none: check its end' }
    return
  }
  const elements: unknown[] = parsed.value
  for (const [index, value] of elements.entries()) yield recordOf(value, index + 1)
}

function readLine(text: string, line: number): ReadLine {
  if (text.length > longestLine) return { line, reason: `The line is longer than ${longestLine} characters` }
  const parsed = parse(text)
  if (parsed === null) return { line, reason: 'The line is no JSON' }
  return recordOf(parsed.value, line)
}

function recordOf(value: unknown, line: number): ReadLine {
  return isRecord(value) ? { line, record: value } : { line, reason: 'The line is JSON but no object' }
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}
