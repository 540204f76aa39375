import { fieldNamed, type QueryField } from '../../../shared/query.ts'
import { type SearchWord, searchWords } from '../../../shared/query-words.ts'

/** What is being typed, and where it stands in the text. */
export type Place = { from: number; to: number; typed: string } & (
  | { kind: 'name' }
  | { kind: 'value'; field: QueryField | { path: string }; head: string }
)

/** Finds what the cursor stands in or behind. `null` inside a phrase of words: those are the writer's own. */
export function placeAt(text: string, at: number): Place | null {
  const word = searchWords(text).find(({ kind, from, to }) => kind === 'term' && from < at && at <= to)
  if (word === undefined) return /\S$/.test(text.slice(0, at).replace(/[(-]$/, '')) ? null : nothing(at)
  if (word.head === '') return word.text.startsWith('"') ? null : nameAt(word, at)
  const valueFrom = word.from + word.head.length
  if (at < valueFrom) return null
  const name = word.head.replace(/:[<>=]*$/, '')
  const field = fieldNamed(name) ?? { path: name.replace(/^attributes\./i, '') }
  const typed = text.slice(valueFrom, at).replace(/^"/, '')
  return { kind: 'value', field, head: word.head, typed, from: word.from, to: word.to }
}

function nameAt({ from, to, text }: SearchWord, at: number): Place {
  return { kind: 'name', typed: text.slice(0, at - from), from, to }
}

function nothing(at: number): Place {
  return { kind: 'name', typed: '', from: at, to: at }
}
