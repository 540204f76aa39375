import type { QueryField } from '../../../shared/query.ts'
import { type SearchWord, searchWords } from '../../../shared/query-words.ts'
import { readName } from '../../query/name.ts'
import { isClosedPhrase } from '../../query/phrase.ts'

/**
 * The name or value being typed, and the part of the search that a completion replaces. For a value, `head` is the part up to
 * the colon, and `comparison` is the operator after it, if any.
 */
export type CursorContext = { from: number; to: number; typed: string } & (
  | { kind: 'name' }
  | { kind: 'value'; field: QueryField | { path: string }; head: string; comparison: string }
)

/** Finds the name or value at the cursor. Returns `null` if there is nothing to complete, such as inside a quoted phrase. */
export function contextAt(text: string, at: number): CursorContext | null {
  const words = searchWords(text)
  if (words.some(word => word.to < at && isUnclosed(word))) return null
  const word = words.find(({ kind, from, to }) => kind === 'term' && from < at && at <= to)
  if (word === undefined) return /\S$/.test(text.slice(0, at).replace(/[(-]$/, '')) ? null : emptyName(at)
  if (word.head === '') return word.text.startsWith('"') ? null : nameAt(word, at)
  const valueFrom = word.from + word.head.length
  if (at < valueFrom) return null
  const [comparison = ''] = /[<>=]*$/.exec(word.head) ?? []
  const head = word.head.slice(0, word.head.length - comparison.length)
  const { field, name: path } = readName(head.slice(0, -1))
  const typed = text.slice(valueFrom, at).replace(/^"/, '')
  return { kind: 'value', field: field ?? { path }, head, comparison, typed, from: word.from, to: word.to }
}

/** Whether a phrase starts in this word, and its closing quote is not typed yet. */
function isUnclosed({ text, head }: SearchWord): boolean {
  const value = text.slice(head.length)
  return value.startsWith('"') && !isClosedPhrase(value)
}

function nameAt({ from, to, text }: SearchWord, at: number): CursorContext {
  return { kind: 'name', typed: text.slice(0, at - from), from, to }
}

function emptyName(at: number): CursorContext {
  return { kind: 'name', typed: '', from: at, to: at }
}
