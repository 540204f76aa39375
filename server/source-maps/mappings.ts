import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { SourceMapError } from './source-map-error.ts'

/**
 * The encoded mappings of a source map, with checkpoints every few thousand characters, from which decoding can start.
 * Decoded mappings would use fifty times as much memory, and those of a malicious map (`;;;…`) even more.
 */
export type Mappings = {
  text: string
  /** A flat list of the checkpoints. Each consists of the seven fields of a `Cursor`, in order. */
  checkpoints: readonly number[]
  /** Whether the segments of every line are sorted by column. Nearly every generator sorts them. */
  isSorted: boolean
}

/** A position in a source: source index, line and column, all starting at 0. */
export type OriginalPosition = { source: number; line: number; column: number }

/** The decoding position and the last decoded segment. */
type Cursor = {
  offset: number
  line: number
  column: number
  /** The last segment of this line: 0 = none yet, 1 = without a source, 4 = with a source. */
  kind: 0 | 1 | 4
  source: number
  originalLine: number
  originalColumn: number
}

const checkpointInterval = 4096
const checkpointSize = 7
/** About a millisecond of work. */
const checkpointsPerTurn = 32
const charactersPerTurn = checkpointsPerTurn * checkpointInterval

/**
 * Scans mappings once to validate them and to record the checkpoints. Regularly yields to the event loop.
 * @param sources the number of sources
 * @throws SourceMapError if the mappings are invalid
 */
export async function readMappings(text: string, sources: number): Promise<Mappings> {
  const cursor = start()
  const checkpoints = [...numbersOf(cursor)]
  let isSorted = true
  let nextCheckpoint = checkpointInterval
  while (cursor.offset < text.length) {
    const { line, column } = cursor
    advance(text, cursor)
    if (cursor.kind !== 0) checkRange(cursor, sources)
    if (cursor.line === line && cursor.column < column) isSorted = false
    if (cursor.offset >= nextCheckpoint) {
      checkpoints.push(...numbersOf(cursor))
      nextCheckpoint = cursor.offset + checkpointInterval
      if ((checkpoints.length / checkpointSize) % checkpointsPerTurn === 0) await yieldToEventLoop()
    }
  }
  return { text, checkpoints, isSorted }
}

/**
 * Returns the original position of the nearest segment at or before a position in the generated file. Lines and columns
 * start at 0. If several segments have the same position, uses the last one.
 */
export function findOriginal(
  { text, checkpoints, isSorted }: Mappings,
  line: number,
  column: number,
): OriginalPosition | null {
  const cursor = isSorted ? checkpointBefore(checkpoints, line, column) : start()
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

/** Whether any segment has exactly this original position. Regularly yields to the event loop. */
export async function hasOriginal(
  { text }: Mappings,
  { source, line, column }: OriginalPosition,
): Promise<boolean> {
  const cursor = start()
  let nextTurn = charactersPerTurn
  while (cursor.offset < text.length) {
    advance(text, cursor)
    const { kind, source: atSource, originalLine, originalColumn } = cursor
    if (kind === 4 && atSource === source && originalLine === line && originalColumn === column) return true
    if (cursor.offset < nextTurn) continue
    await yieldToEventLoop()
    nextTurn += charactersPerTurn
  }
  return false
}

function start(): Cursor {
  return { offset: 0, line: 0, column: 0, kind: 0, source: 0, originalLine: 0, originalColumn: 0 }
}

function numbersOf(cursor: Cursor): number[] {
  const { offset, line, column, kind, source, originalLine, originalColumn } = cursor
  return [offset, line, column, kind, source, originalLine, originalColumn]
}

/** Returns the last checkpoint before a position. */
function checkpointBefore(checkpoints: readonly number[], line: number, column: number): Cursor {
  let low = 0
  let high = checkpoints.length / checkpointSize
  while (high - low > 1) {
    const middle = (low + high) >> 1
    const checkpointLine = checkpoints[middle * checkpointSize + 1] ?? 0
    const checkpointColumn = checkpoints[middle * checkpointSize + 2] ?? 0
    if (checkpointLine < line || (checkpointLine === line && checkpointColumn < column)) low = middle
    else high = middle
  }
  const [offset = 0, atLine = 0, atColumn = 0, kind = 0, source = 0, originalLine = 0, originalColumn = 0] =
    checkpoints.slice(low * checkpointSize, (low + 1) * checkpointSize)
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

/** Decodes one segment or separator. https://tc39.es/ecma426/#sec-mappings */
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
  cursor.column += readVlq(text, cursor)
  cursor.kind = 1
  if (isEnd(text, cursor.offset)) return
  cursor.source += readVlq(text, cursor)
  cursor.originalLine += readVlq(text, cursor)
  cursor.originalColumn += readVlq(text, cursor)
  cursor.kind = 4
  // The fifth number is a name index. Names are read from the sources instead.
  if (!isEnd(text, cursor.offset)) readVlq(text, cursor)
  if (!isEnd(text, cursor.offset))
    throw new SourceMapError('Its mappings contain a segment with more than five numbers')
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

/** Decodes a Base64 VLQ: https://tc39.es/ecma426/#sec-base64-vlq */
function readVlq(text: string, cursor: Cursor): number {
  let value = 0
  let shift = 0
  for (;;) {
    const digit = digits[text.charCodeAt(cursor.offset)] ?? -1
    if (digit < 0 || shift > 30) throw new SourceMapError('Its mappings contain an invalid Base64 VLQ')
    cursor.offset += 1
    value |= (digit & 31) << shift
    shift += 5
    if ((digit & 32) === 0) return value & 1 ? -(value >>> 1) : value >>> 1
  }
}

const maxPosition = 2 ** 31

function checkRange({ column, kind, source, originalLine, originalColumn }: Cursor, sources: number): void {
  const isInRange = (value: number) => value >= 0 && value < maxPosition
  if (!isInRange(column)) throw new SourceMapError('Its mappings point outside the file')
  if (kind !== 4) return
  if (source < 0 || source >= sources)
    throw new SourceMapError('Its mappings refer to a source that it does not list')
  if (!isInRange(originalLine) || !isInRange(originalColumn)) {
    throw new SourceMapError('Its mappings point outside a source')
  }
}
