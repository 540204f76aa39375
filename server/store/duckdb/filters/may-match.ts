import type { Query, QueryField } from '../../../../shared/query.ts'
import type { Pattern } from '../../common/compares.ts'
import { barePattern } from '../../common/digest.ts'
import { writtenString } from '../sql/attribute.ts'
import { type TextGroup, textGroups } from '../sql/text.ts'
import type { BlockFilter } from './block-filter.ts'
import { longGrams, shortGrams, shortIdLength, wholeSpan, wholeText } from './grams.ts'
import { type HashFilter, mayContain } from './hash-set.ts'

/** Whether a block may contain a matching event. */
export type MayMatch = (filter: BlockFilter) => boolean

type Part = 'message' | 'exception' | 'context' | 'ids' | 'long'

/** Returns `null` if no block can be skipped. The result never excludes a block with an event that `compile` selects. */
export function mayMatch(query: Query): MayMatch | null {
  switch (query.kind) {
    case 'and': {
      const [left, right] = [mayMatch(query.left), mayMatch(query.right)]
      if (left === null || right === null) return left ?? right
      return filter => left(filter) && right(filter)
    }
    case 'or': {
      const [left, right] = [mayMatch(query.left), mayMatch(query.right)]
      if (left === null || right === null) return null
      return filter => left(filter) || right(filter)
    }
    case 'text':
      return mayContainText(query.text)
    case 'field':
      if (query.comparison !== '=' || typeof query.value !== 'string') return null
      return mayHaveField(query.field, query.value, query.literal === true)
    case 'attribute':
      return typeof query.value === 'number'
        ? mayHaveKey(query.path)
        : mayHaveAttribute(query.path, { text: String(query.value), isLiteral: query.literal === true })
    case 'exists':
    case 'between':
      return typeof query.field === 'string' ? null : mayHaveKey(query.field.path)
    case 'all':
    case 'not':
      return null
  }
}

function mayContainText(words: string): MayMatch {
  const groupsOf = textGroupsOf(words)
  return filter => groupsOf(filter).length > 0
}

/**
 * Returns the groups of columns that may contain the words in a block. Filters omit fingerprints, because these change. A
 * word that matches a fingerprint has at most 10 characters and therefore no long grams, so no filter excludes it from the
 * group `hex`.
 */
export function textGroupsOf(words: string): (filter: BlockFilter) => TextGroup[] {
  // These characters are escaped in attributes.
  const pieces = printablePieces(words).flatMap(piece => piece.split(/["\\]/))
  const short = shortHashes(pieces)
  const long = longHashes(pieces)
  const isWord = !/\s/.test(words)
  const isHex = /^[0-9a-f]*$/i.test(words)
  const groups = textGroups.filter(group => (group === 'hex' ? isHex : group !== 'ids' || isWord))
  return filter => {
    const hasLong = containsAll(filter.long, long)
    return groups.filter(group => hasLong && (group === 'hex' || containsAll(filter[group], short)))
  }
}

function mayHaveField(field: QueryField, value: string, isLiteral: boolean): MayMatch | null {
  const pieces = literalPieces(value, isLiteral)
  switch (field) {
    case 'message':
    case 'exception':
      return allOf([mayContainShort(field, pieces), mayContainLong(pieces)])
    case 'route':
    case 'service':
      return allOf([mayContainShort('context', pieces), mayContainLong(pieces)])
    case 'request':
      return allOf([
        mayContainShort('ids', pieces),
        mayContainLong(pieces),
        mayContainWhole(value, isLiteral),
      ])
    case 'digest': {
      const bare = literalPieces(barePattern({ text: value, isLiteral }).text, isLiteral)
      return allOf([mayContainShort('ids', bare), mayContainLong(bare)])
    }
    case 'trace':
    case 'span':
      return allOf([mayContainLong(pieces), mayContainWhole(value, isLiteral)])
    default:
      return null
  }
}

/** Like `attribute.ts`, checks the last key of a path and the characters after it, unless the key is a list index. */
function mayHaveKey(path: string): MayMatch | null {
  const key = path.slice(path.lastIndexOf('.') + 1)
  if (/^\d+$/.test(key)) return null
  const printable = /["\\]/.test(key)
    ? key.split(/["\\]/).flatMap(printablePieces)
    : printablePieces(`${key}":`)
  return allOf([mayContainShort('context', printable), mayContainLong(printable)])
}

/**
 * Ignores numbers other than integers of up to 15 digits, unless they are part of a string, because the engine writes them
 * differently from JSON (1e+21). A value that starts with an asterisk, a bracket or a brace may match a list or an object,
 * which can contain numbers.
 */
function mayHaveAttribute(path: string, pattern: Pattern): MayMatch | null {
  const written = writtenString(path, pattern)
  if (written !== null) {
    const pair = printablePieces(written)
    return allOf([mayContainShort('context', pair), mayContainLong(pair)])
  }
  const { text: value, isLiteral } = pattern
  const pieces = literalPieces(value, isLiteral).flatMap(piece => piece.split(/["\\]/))
  const isWritten = /^[^*[{]/.test(value) && (!/^[\d.e+*-]*$/i.test(value) || /^\d{1,15}$/.test(value))
  const stable = isWritten ? pieces : pieces.flatMap(piece => piece.split(/[\d.e+-]*\d[\d.e+-]*/))
  return allOf([mayHaveKey(path), mayContainShort('context', stable), mayContainLong(stable)])
}

/** The parts of a pattern that every matching text contains. */
function literalPieces(value: string, isLiteral: boolean): string[] {
  return (isLiteral ? [value] : value.split('*')).flatMap(printablePieces)
}

/** The printable ASCII parts of a text, in lower case. */
function printablePieces(text: string): string[] {
  return text.split(/[^ -~]+/).map(piece => piece.toLowerCase())
}

function mayContainShort(part: Part, pieces: readonly string[]): MayMatch | null {
  return mayContainAll(part, shortHashes(pieces))
}

function mayContainLong(pieces: readonly string[]): MayMatch | null {
  return mayContainAll('long', longHashes(pieces))
}

function mayContainWhole(value: string, isLiteral: boolean): MayMatch | null {
  if (!/^[ -~]+$/.test(value) || (!isLiteral && value.includes('*'))) return null
  if (value.length >= shortIdLength) return null
  const hashes: number[] = []
  wholeText(wholeSpan(value.toLowerCase()), hash => hashes.push(hash))
  return mayContainAll('long', hashes)
}

function shortHashes(pieces: readonly string[]): number[] {
  const hashes: number[] = []
  for (const piece of pieces) shortGrams(wholeSpan(piece), hash => hashes.push(hash))
  return hashes
}

function longHashes(pieces: readonly string[]): number[] {
  const hashes: number[] = []
  for (const piece of pieces) longGrams(wholeSpan(piece), hash => hashes.push(hash))
  return hashes
}

function mayContainAll(part: Part, hashes: readonly number[]): MayMatch | null {
  return hashes.length === 0 ? null : filter => containsAll(filter[part], hashes)
}

function containsAll(filter: HashFilter, hashes: readonly number[]): boolean {
  return hashes.every(hash => mayContain(filter, hash))
}

function allOf(conditions: readonly (MayMatch | null)[]): MayMatch | null {
  const checks = conditions.filter(condition => condition !== null)
  if (checks.length === 0) return null
  return filter => checks.every(check => check(filter))
}
