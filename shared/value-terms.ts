import { nameOf, termOf, unquoted, withTerm } from './query.ts'
import { type SearchWord, searchWords, wordsOutside } from './query-words.ts'

/** The part of a search that lists values of a field: `service:a`, or `-(service:a OR service:b)`. */
type Group = {
  terms: SearchWord[]
  /** `-`, or `NOT` and a space, if the search excludes the values. */
  sign: string
  range: TextRange
  /** The range, extended by an adjacent AND if there is one. */
  rangeWithAnd: TextRange
}
type TextRange = readonly [from: number, to: number]

/**
 * Toggles a value among those that a search accepts for a field: `service:a` becomes `(service:a OR service:b)`, and vice
 * versa. If the search excluded the value, the exclusion is removed.
 * @param field the name of the field or attribute in the search language
 */
export function withValueToggled(text: string, field: string, value: string): string {
  const rest = withoutExclusion(text, field, value)
  const removed = without(rest, field, value, false)
  if (removed !== rest) return removed
  const group = groupOf(rest, field, false)
  if (group === null) return withTerm(rest, field, value)
  return withTerms(rest, group, [...group.terms.map(term => term.text), termOf(field, value)])
}

/** Excludes a value from a search, and removes it from the accepted values. */
export function withValueExcluded(text: string, field: string, value: string): string {
  return withTerm(without(withoutNeedlessParentheses(text), field, value, false), field, value, true)
}

/** Removes the exclusions of a value from a search. */
export function withoutExclusion(text: string, field: string, value: string): string {
  return without(withoutNeedlessParentheses(text), field, value, true)
}

/** Removes a value from all groups that accept or exclude it. */
function without(text: string, field: string, value: string, isExcluded: boolean): string {
  const group = groupOf(text, field, isExcluded, value)
  if (group === null) return text
  const others = group.terms.filter(term => !isFor(term, field, value)).map(term => term.text)
  return without(withTerms(text, group, others), field, value, isExcluded)
}

/** Removes parentheses that do not change the meaning: the terms in `(service:a timeout) b` also narrow the whole search. */
function withoutNeedlessParentheses(text: string): string {
  const words = searchWords(text)
  const needless = new Set<SearchWord | undefined>()
  for (const [open, word] of words.entries()) {
    if (word.kind !== 'open') continue
    const close = closeOf(words, open)
    if (isNeedless(words, open, close)) needless.add(word).add(words[close])
  }
  const parts: string[] = []
  let from = 0
  for (const word of words.filter(each => needless.has(each))) {
    parts.push(text.slice(from, word.from))
    from = word.to
  }
  return joined(...parts, text.slice(from))
}

/** Parentheses around several terms are kept next to an OR, because they make the search clearer. */
function isNeedless(words: readonly SearchWord[], open: number, close: number): boolean {
  const inner = words.slice(open + 1, close)
  const [before, after] = [words[open - 1], words[close + 1]]
  const isOr = [before, after, ...wordsOutside(inner)].some(word => word?.kind === 'or')
  return before?.kind !== 'not' && (!isOr || inner.filter(({ kind }) => kind === 'term').length === 1)
}

function withTerms(text: string, { sign, range, rangeWithAnd }: Group, terms: readonly string[]): string {
  const [from, to] = terms.length === 0 ? rangeWithAnd : range
  const list = terms.length > 1 ? `(${terms.join(' OR ')})` : terms.join('')
  return joined(text.slice(0, from), list && sign + list, text.slice(to))
}

function joined(...parts: string[]): string {
  return parts
    .map(part => part.trim())
    .filter(part => part !== '')
    .join(' ')
}

/**
 * Returns the first group of a field that narrows the whole search, or `null` if there is none.
 * @param value if set, groups without this value are skipped
 */
function groupOf(text: string, field: string, isExcluded: boolean, value?: string): Group | null {
  const words = searchWords(text)
  const outer = wordsOutside(words)
  // In `a OR service:b`, the term does not narrow the search. `service:a OR service:b` is one group.
  const isOr = outer.some(({ kind }) => kind === 'or')
  for (const [index, word] of words.entries()) {
    if (!outer.includes(word)) continue
    const end = isOr ? words.length - 1 : word.kind === 'open' ? closeOf(words, index) : index
    const not = words[index - 1]?.kind === 'not' ? words[index - 1] : undefined
    const [left, right] = [words[index - (not ? 2 : 1)], words[end + 1]]
    const terms = valuesIn(words.slice(index, end + 1), field)
    const isWanted =
      (not !== undefined) === isExcluded &&
      left?.kind !== 'not' &&
      (value === undefined || terms?.some(term => isFor(term, field, value)))
    if (terms !== null && isWanted) {
      const range: TextRange = [(not ?? word).from, words[end]?.to ?? text.length]
      const [from, to] = range
      const rangeWithAnd: TextRange =
        right?.kind === 'and' ? [from, right.to] : left?.kind === 'and' ? [left.from, to] : range
      return { terms, sign: not === undefined ? '' : not.text === '-' ? '-' : 'NOT ', range, rangeWithAnd }
    }
    if (isOr) break
  }
  return null
}

/** Returns the terms if the words are exactly a list of values, with or without parentheses; otherwise `null`. */
function valuesIn(words: readonly SearchWord[], field: string): SearchWord[] | null {
  const inner = words[0]?.kind === 'open' && words.at(-1)?.kind === 'close' ? words.slice(1, -1) : words
  const isList =
    inner.length % 2 === 1 &&
    inner.every((word, index) => (index % 2 === 0 ? isValueOf(word, field) : word.kind === 'or'))
  return isList ? inner.filter(({ kind }) => kind === 'term') : null
}

/** `check*`, `5xx` and `[400 TO 499]` match several values. */
const severalValues = /^[^"]*\*|^\dxx$|^\[/i

/** Whether a word is `field:value`, for one value and without a comparison. */
function isValueOf({ kind, head, text }: SearchWord, field: string): boolean {
  const value = text.slice(head.length)
  const [name = ''] = head.split(/:=?$/)
  return (
    kind === 'term' &&
    name !== head &&
    value !== '' &&
    !severalValues.test(value) &&
    nameOf(name) === nameOf(field)
  )
}

/** Whether the value of a term is equal to this value, however it was typed: `0500` equals 500 for `status`. */
function isFor({ head, text }: SearchWord, field: string, value: string): boolean {
  const typed = unquoted(text.slice(head.length))
  const isNumber = field === 'status' && Number(typed) === Number(value)
  return isNumber || typed.toLowerCase() === value.toLowerCase()
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
