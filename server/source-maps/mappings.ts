import { setImmediate as turn } from 'node:timers/promises'
import { MapProblem } from './map-problem.ts'

/**
 * The mappings of a source map as they are written, with a stop every few thousand characters from which they can
 * be read on. Decoded whole they would take fifty times the memory, and a stranger's map (`;;;…`) any amount.
 */
export type Mappings = {
  text: string
  /** One after another the seven numbers of each stop: those of `Cursor`, in its order. */
  stops: readonly number[]
  /** The segments of each line stand in the order of their columns, as nearly every generator writes them. */
  isSorted: boolean
}

/** Where a place comes from: the number of the source, line and column in it, counted from 0. */
export type Original = { source: number; line: number; column: number }

/** How far the mappings have been read, and the segment that was read last. */
type Cursor = {
  offset: number
  line: number
  column: number
  /** What the last segment of this line is: `none` so far, one without a source, or one with. */
  kind: 0 | 1 | 4
  source: number
  originalLine: number
  originalColumn: number
}

const stopEvery = 4096
const stopSize = 7
/** About a millisecond of work. */
const stopsATurn = 32

/**
 * Reads mappings through once: what it gives is known to be whole.
 * @throws MapProblem
 */
export async function readMappings(text: string, sources: number): Promise<Mappings> {
  const cursor = start()
  const stops = [...numbersOf(cursor)]
  let isSorted = true
  let nextStop = stopEvery
  while (cursor.offset < text.length) {
    const { line, column } = cursor
    advance(text, cursor)
    if (cursor.kind !== 0) check(cursor, sources)
    if (cursor.line === line && cursor.column < column) isSorted = false
    if (cursor.offset >= nextStop) {
      stops.push(...numbersOf(cursor))
      nextStop = cursor.offset + stopEvery
      if ((stops.length / stopSize) % stopsATurn === 0) await turn()
    }
  }
  return { text, stops, isSorted }
}

/** The original of the place, or of the nearest one before it in its line; `null` where there is none. Counts from 0. */
export function originalOf(
  { text, stops, isSorted }: Mappings,
  line: number,
  column: number,
): Original | null {
  const cursor = isSorted ? stopBefore(stops, line, column) : start()
  let best = cursor.line === line && cursor.kind !== 0 ? { ...cursor } : null
  while (cursor.offset < text.length) {
    advance(text, cursor)
    if (cursor.line > line) break
    if (cursor.line < line || cursor.kind === 0) continue
    if (cursor.column > column) {
      if (isSorted) break
    } else if (best === null || cursor.column >= best.column) best = { ...cursor }
  }
  if (best === null || best.kind !== 4) return null
  return { source: best.source, line: best.originalLine, column: best.originalColumn }
}

function start(): Cursor {
  return { offset: 0, line: 0, column: 0, kind: 0, source: 0, originalLine: 0, originalColumn: 0 }
}

function numbersOf(cursor: Cursor): number[] {
  const { offset, line, column, kind, source, originalLine, originalColumn } = cursor
  return [offset, line, column, kind, source, originalLine, originalColumn]
}

/** The last stop that lies before a place. */
function stopBefore(stops: readonly number[], line: number, column: number): Cursor {
  let low = 0
  let high = stops.length / stopSize
  while (high - low > 1) {
    const middle = (low + high) >> 1
    const stopLine = stops[middle * stopSize + 1] ?? 0
    const stopColumn = stops[middle * stopSize + 2] ?? 0
    if (stopLine < line || (stopLine === line && stopColumn < column)) low = middle
    else high = middle
  }
  const [offset = 0, atLine = 0, atColumn = 0, kind = 0, source = 0, originalLine = 0, originalColumn = 0] =
    stops.slice(low * stopSize, (low + 1) * stopSize)
  return {
    offset,
    line: atLine,
    column: atColumn,
    kind: kind === 1 || kind === 4 ? kind : 0,
    source,
    originalLine,
    originalColumn,
  }
}

/** Reads one segment, or what parts two. https://tc39.es/ecma426/#sec-mappings */
function advance(text: string, cursor: Cursor): void {
  const character = text.charCodeAt(cursor.offset)
  if (character === semicolon) {
    cursor.offset += 1
    cursor.line += 1
    cursor.column = 0
    cursor.kind = 0
    return
  }
  if (character === comma) {
    cursor.offset += 1
    return
  }
  cursor.column += number(text, cursor)
  cursor.kind = 1
  if (isEnd(text, cursor.offset)) return
  cursor.source += number(text, cursor)
  cursor.originalLine += number(text, cursor)
  cursor.originalColumn += number(text, cursor)
  cursor.kind = 4
  // A name: those of the sources themselves are shown.
  if (!isEnd(text, cursor.offset)) number(text, cursor)
  if (!isEnd(text, cursor.offset))
    throw new MapProblem('Its mappings have a segment of more than five numbers')
}

const comma = 44
const semicolon = 59

function isEnd(text: string, offset: number): boolean {
  if (offset >= text.length) return true
  const character = text.charCodeAt(offset)
  return character === comma || character === semicolon
}

const digits = new Int8Array(128).fill(-1)
for (const [value, character] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries()) {
  digits[character.charCodeAt(0)] = value
}

/** A Base64 VLQ: https://tc39.es/ecma426/#sec-base64-vlq */
function number(text: string, cursor: Cursor): number {
  let value = 0
  let shift = 0
  for (;;) {
    const digit = digits[text.charCodeAt(cursor.offset)] ?? -1
    if (digit < 0 || shift > 30) throw new MapProblem('Its mappings hold what is no Base64 VLQ')
    cursor.offset += 1
    value |= (digit & 31) << shift
    shift += 5
    if ((digit & 32) === 0) return value & 1 ? -(value >>> 1) : value >>> 1
  }
}

const furthest = 2 ** 31

function check({ column, kind, source, originalLine, originalColumn }: Cursor, sources: number): void {
  const isInRange = (value: number) => value >= 0 && value < furthest
  if (!isInRange(column)) throw new MapProblem('Its mappings lead out of the file')
  if (kind !== 4) return
  if (source < 0 || source >= sources)
    throw new MapProblem('Its mappings name a source that it does not list')
  if (!isInRange(originalLine) || !isInRange(originalColumn)) {
    throw new MapProblem('Its mappings lead out of a source')
  }
}
