/**
 * A word of a search. The browser adds and removes terms with these words, and the server parses the search with them, so
 * both agree on where a term starts and ends.
 */
export type SearchWord = {
  /** `NOT`, and `-` directly before a term or a parenthesis, have the kind `not`. */
  kind: 'open' | 'close' | 'and' | 'or' | 'not' | 'term'
  text: string
  /** The part of a term before its value, such as `status:>=`; empty for plain text. */
  head: string
  /** Offsets into the text. */
  from: number
  to: number
}

const phrase = String.raw`"(?:\\[\s\S]|[^"\\])*"`
const space = /\s*/y
/**
 * Matches a dash that excludes a term. Other dashes (`->`, `--watch`, `- `) are text, because pasted messages contain them.
 */
const dash = /-(?=[\p{L}\p{N}_"(/*@$.])/uy
const head = new RegExp(String.raw`(?:${phrase}|[\p{L}_@$][\p{L}\p{N}_@$.-]*):(?:[<>]=?|=)?`, 'uy')
/** A quoted value or a range. Ranges with other brackets are also one word, so that the parser can report them. */
const closed = new RegExp(String.raw`${phrase}|[[{]\s*[^\s\]]+\s+[Tt][Oo]\s+[^\s\]}]+\s*[\]}]`, 'uy')
/** A quoted phrase, or an operator before a parenthesis, to which no space is necessary: `NOT(a OR b)`. */
const completeWord = new RegExp(String.raw`${phrase}|(?:AND|OR|NOT)(?=\()`, 'uy')

const signs = new Map<string, SearchWord['kind']>([
  ['(', 'open'],
  [')', 'close'],
])
const operators = new Map<string, SearchWord['kind']>([
  ['AND', 'and'],
  ['OR', 'or'],
  ['NOT', 'not'],
])

/** Splits a search into words. Every character except white space belongs to a word. */
export function searchWords(text: string): SearchWord[] {
  const words: SearchWord[] = []
  let at = endOf(space, text, 0)
  while (at < text.length) {
    const word = signAt(text, at) ?? termAt(text, at)
    words.push(word)
    at = endOf(space, text, word.to)
  }
  return words
}

/** Returns the words outside parentheses, and the outermost opening parentheses. */
export function wordsOutside(words: readonly SearchWord[]): SearchWord[] {
  let depth = 0
  return words.filter(({ kind }) => {
    if (kind === 'close') depth -= 1
    const isOutside = depth === 0
    if (kind === 'open') depth += 1
    return isOutside && kind !== 'close'
  })
}

function signAt(text: string, from: number): SearchWord | null {
  const sign = text.charAt(from)
  const kind = endOf(dash, text, from) > from ? 'not' : signs.get(sign)
  return kind === undefined ? null : { kind, text: sign, head: '', from, to: from + 1 }
}

function termAt(text: string, from: number): SearchWord {
  const valueFrom = endOf(head, text, from)
  const closedTo = endOf(valueFrom > from ? closed : completeWord, text, valueFrom)
  const to = closedTo > valueFrom ? closedTo : bareEnd(text, valueFrom)
  const word = text.slice(from, to)
  return { kind: operators.get(word) ?? 'term', text: word, head: text.slice(from, valueFrom), from, to }
}

/** An unquoted word ends at white space or an unmatched closing parenthesis: `total(cart)` is one word. */
function bareEnd(text: string, from: number): number {
  let depth = 0
  let at = from
  for (; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (/\s/.test(character)) break
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (depth < 0) break
  }
  return at
}

function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from
}
