import { fieldByName, type QueryField, quoted, unquoted, withTerm } from './query.ts'
import { type SearchWord, searchWords } from './query-words.ts'

/** The part of a search that lists values of a field: `service:a`, or `-(service:a OR service:b)`. */
type Group = {
  terms: SearchWord[]
  /** `-` or `NOT`, if the search excludes the values. */
  sign: string
  place: Place
  /** The place and an AND beside it. */
  placeWithAnd: Place
}
type Place = readonly [from: number, to: number]

/**
 * Toggles a value among those that a search accepts for a field: `service:a` becomes `(service:a OR service:b)`, and vice
 * versa. If the search excluded the value, the exclusion is removed.
 */
export function withValueToggled(text: string, field: QueryField, value: string): string {
  const rest = withoutExclusion(text, field, value)
  const group = groupOf(rest, field)
  if (group === null) return withTerm(rest, field, value)
  const others = termsExcept(group, value)
  const isAccepted = others.length < group.terms.length
  return withTerms(rest, group, isAccepted ? others : [...others, `${field}:${quoted(value)}`])
}

/** Excludes a value from a search, and removes it from the accepted values. */
export function withValueExcluded(text: string, field: QueryField, value: string): string {
  const group = groupOf(text, field)
  const rest = group === null ? text : withTerms(text, group, termsExcept(group, value))
  return withTerm(rest, field, value, true)
}

/** Removes the exclusions of a value from a search. */
export function withoutExclusion(text: string, field: QueryField, value: string): string {
  const group = groupOf(text, field, value)
  if (group === null) return text
  return withoutExclusion(withTerms(text, group, termsExcept(group, value)), field, value)
}

/** Returns the terms of a group that are not for this value, as typed. */
function termsExcept({ terms }: Group, value: string): string[] {
  return terms.filter(term => !isFor(term, value)).map(({ text }) => text)
}

function withTerms(text: string, { sign, place, placeWithAnd }: Group, terms: readonly string[]): string {
  const [from, to] = terms.length === 0 ? placeWithAnd : place
  const list = terms.length > 1 ? `(${terms.join(' OR ')})` : terms.join('')
  const parts = [text.slice(0, from), list && sign + list, text.slice(to)].map(part => part.trim())
  return parts.filter(part => part !== '').join(' ')
}

/**
 * Returns the first group of a field that narrows the whole search, or `null` if there is none.
 * @param excluded return the first group that excludes this value instead
 */
function groupOf(text: string, field: QueryField, excluded?: string): Group | null {
  const words = searchWords(text)
  const outer = outside(words)
  // In `a OR service:b`, the term does not narrow the search. `service:a OR service:b` is one group.
  const isOr = outer.some(({ kind }) => kind === 'or')
  for (const [index, word] of words.entries()) {
    if (!outer.includes(word)) continue
    const end = isOr ? words.length - 1 : word.kind === 'open' ? closeOf(words, index) : index
    const not = words[index - 1]?.kind === 'not' ? words[index - 1] : undefined
    const [left, right] = [words[index - (not ? 2 : 1)], words[end + 1]]
    const terms = valuesIn(words.slice(index, end + 1), field)
    const isWanted =
      excluded === undefined
        ? !not
        : not && left?.kind !== 'not' && terms?.some(term => isFor(term, excluded))
    if (terms !== null && isWanted) {
      const place: Place = [(not ?? word).from, words[end]?.to ?? text.length]
      const [from, to] = place
      const placeWithAnd: Place =
        right?.kind === 'and' ? [from, right.to] : left?.kind === 'and' ? [left.from, to] : place
      return { terms, sign: text.slice(from, word.from), place, placeWithAnd }
    }
    if (isOr) break
  }
  return null
}

/** Returns the terms if the words are exactly a list of values, with or without parentheses; otherwise `null`. */
function valuesIn(words: readonly SearchWord[], field: QueryField): SearchWord[] | null {
  const inner = words[0]?.kind === 'open' && words.at(-1)?.kind === 'close' ? words.slice(1, -1) : words
  const isList =
    inner.length % 2 === 1 &&
    inner.every((word, index) => (index % 2 === 0 ? isValueOf(word, field) : word.kind === 'or'))
  return isList ? inner.filter(({ kind }) => kind === 'term') : null
}

/** `check*`, `5xx` and `[400 TO 499]` match several values. */
const severalValues = /^[^"]*\*|^\dxx$|^\[/i

/** Whether a word is `field:value`, for one value and without a comparison. */
function isValueOf({ kind, head, text }: SearchWord, field: QueryField): boolean {
  const value = text.slice(head.length)
  const [name = ''] = head.split(/:=?$/)
  return (
    kind === 'term' &&
    name !== head &&
    value !== '' &&
    !severalValues.test(value) &&
    fieldByName(name) === field
  )
}

/** Whether a term is for this value, however it was typed. */
function isFor({ head, text }: SearchWord, value: string): boolean {
  const typed = text.slice(head.length)
  return (typed.startsWith('"') ? unquoted(typed) : typed).toLowerCase() === value.toLowerCase()
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
