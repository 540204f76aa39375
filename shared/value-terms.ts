import { fieldByName, type QueryField, quoted, withoutTerm, withTerm } from './query.ts'
import { type SearchWord, searchWords } from './query-words.ts'

/** The part of a search that lists values of a field: `service:a`, or `(service:a OR service:b)`. */
type Group = { terms: string[]; from: number; to: number }

/**
 * Toggles a value among those that a search accepts for a field: `service:a` becomes `(service:a OR service:b)`, and vice
 * versa. If the search excluded the value, the exclusion is removed.
 */
export function withValueToggled(text: string, field: QueryField, value: string): string {
  const term = `${field}:${quoted(value)}`
  const group = groupOf(text, field)
  if (group === null) return withTerm(text, field, value)
  const isTerm = (other: string) => other.toLowerCase() === term.toLowerCase()
  const terms = group.terms.some(isTerm)
    ? group.terms.filter(other => !isTerm(other))
    : [...group.terms, term]
  const list = terms.length > 1 ? `(${terms.join(' OR ')})` : (terms[0] ?? '')
  const parts = [text.slice(0, group.from), list, text.slice(group.to)].map(part => part.trim())
  return withoutTerm(parts.filter(part => part !== '').join(' '), `-${term}`)
}

/** Excludes a value from a search, and removes it from the accepted values. */
export function withValueExcluded(text: string, field: QueryField, value: string): string {
  const term = `${field}:${quoted(value)}`.toLowerCase()
  const isAccepted = groupOf(text, field)?.terms.some(other => other.toLowerCase() === term) ?? false
  return withTerm(isAccepted ? withValueToggled(text, field, value) : text, field, value, true)
}

/** Returns the first group of a field that narrows the whole search, or `null` if there is none. */
function groupOf(text: string, field: QueryField): Group | null {
  const words = searchWords(text)
  const whole = groupAt(words, field)
  if (whole !== null) return whole
  // In `a OR service:b`, the term does not narrow the search.
  if (outside(words).some(({ kind }) => kind === 'or')) return null
  for (const [index, word] of words.entries()) {
    if (!outside(words).includes(word) || isOperator(words[index - 1])) continue
    const end = word.kind === 'open' ? closeOf(words, index) : index
    const next = words[end + 1]?.kind
    const group = next === 'and' || next === 'or' ? null : groupAt(words.slice(index, end + 1), field)
    if (group !== null) return group
  }
  return null
}

/** Returns the group that consists of exactly these words, with or without parentheses, or `null`. */
function groupAt(words: readonly SearchWord[], field: QueryField): Group | null {
  const [first, last] = [words[0], words.at(-1)]
  if (first === undefined || last === undefined) return null
  const inner = first.kind === 'open' && last.kind === 'close' ? words.slice(1, -1) : words
  const isGroup =
    inner.length % 2 === 1 &&
    inner.every((word, index) => (index % 2 === 0 ? isValueOf(word, field) : word.kind === 'or'))
  if (!isGroup) return null
  const terms = inner.filter(({ kind }) => kind === 'term').map(({ text }) => text)
  return { terms, from: first.from, to: last.to }
}

/** Whether a word is `field:value`, without a comparison. */
function isValueOf({ kind, head, text }: SearchWord, field: QueryField): boolean {
  return kind === 'term' && head.endsWith(':') && text !== head && fieldByName(head.slice(0, -1)) === field
}

function isOperator(word: SearchWord | undefined): boolean {
  return word?.kind === 'and' || word?.kind === 'or' || word?.kind === 'not'
}

/** The words outside parentheses, and the opening parentheses among them. */
function outside(words: readonly SearchWord[]): SearchWord[] {
  let depth = 0
  return words.filter(({ kind }) => {
    if (kind === 'close') depth -= 1
    const isOutside = depth === 0
    if (kind === 'open') depth += 1
    return isOutside && kind !== 'close'
  })
}

function closeOf(words: readonly SearchWord[], open: number): number {
  let depth = 0
  for (let index = open; index < words.length; index += 1) {
    if (words[index]?.kind === 'open') depth += 1
    if (words[index]?.kind === 'close') depth -= 1
    if (depth === 0) return index
  }
  return words.length - 1
}
