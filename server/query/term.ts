import { type Comparison, type Query, unquoted } from '../../shared/query.ts'
import type { SearchWord } from '../../shared/query-words.ts'
import { readAttribute } from './attribute.ts'
import { readField } from './field.ts'
import type { FieldTerm } from './field-term.ts'
import { readName } from './name.ts'
import { isClosedPhrase } from './phrase.ts'
import { QuerySyntaxError } from './syntax-error.ts'

type AnyTerm = Omit<FieldTerm, 'field'> & { field: FieldTerm['field'] | null }

/**
 * Parses one term: `field:value`, or text.
 * @throws QuerySyntaxError if the term is not valid
 */
export function readTerm(word: SearchWord): Query {
  rejectRegex(word)
  const term = asField(word)
  if (term === null) return readText(word)
  if (term.field === null) return readAttribute(term)
  return readField({ ...term, field: term.field })
}

/** Returns the parts of `field:value`, or `null` for text, which may also contain a colon. */
function asField(word: SearchWord): AnyTerm | null {
  const raw = word.text.slice(word.head.length)
  const [, name = '', sign] = /^([\s\S]*):([<>]=?|=)?$/.exec(word.head) ?? []
  if (name === '' || isColonInText(name, raw)) return null
  const { field, name: path } = readName(name)
  if (raw === '') {
    // "TypeError: cannot read" and "Error: no such file" are text; "status: 500" is a typo.
    if (sign === undefined && !name.startsWith('"') && (field === null || /^\p{Lu}/u.test(name))) return null
    throw new QuerySyntaxError(
      `“${word.text}” needs a value right after it. To search for the text itself, put it in double quotes.`,
      word,
    )
  }
  const position = { from: word.to - raw.length, to: word.to }
  if (raw.startsWith('(')) {
    throw new QuerySyntaxError(
      `A field takes one value: write (${name}:a OR ${name}:b). Put a value with parentheses in double quotes.`,
      position,
    )
  }
  const isQuoted = raw.startsWith('"')
  const value = isQuoted ? readPhrase(raw, position) : raw
  return { field, name: path, comparison: toComparison(sign), value, isQuoted, position }
}

/** `https://…`, `std::io`, `C:\temp`, `cart.ts:18:23`, `node:events:518:28` and `C:/cart.ts:18:23` are not fields. */
function isColonInText(name: string, raw: string): boolean {
  return (
    /^(\/\/|:|\\)/.test(raw) ||
    (name.includes('.') && /^\d+:\d+/.test(raw)) ||
    /^(?:node:[^"]|[A-Za-z]:\/).*:\d+:\d+$/.test(`${name}:${raw}`)
  )
}

function readText(word: SearchWord): Query {
  if (word.text.startsWith('"')) return { kind: 'text', text: readPhrase(word.text, word) }
  const text = word.text.replace(/^\*+|\*+$/g, '')
  if (text === '') return { kind: 'all' }
  return text.includes('*')
    ? { kind: 'field', field: 'message', comparison: '=', value: `*${text}*` }
    : { kind: 'text', text }
}

function readPhrase(raw: string, position: { from: number; to: number }): string {
  if (!isClosedPhrase(raw)) {
    throw new QuerySyntaxError(
      'This double quote is not closed. Add the closing quote; inside quotes, write a quote as \\".',
      position,
    )
  }
  return unquoted(raw)
}

function toComparison(sign: string | undefined): Comparison {
  return sign === '<' || sign === '<=' || sign === '>' || sign === '>=' ? sign : '='
}

/** Rejects regular expressions such as `/time.?out|refused/`. Without regex syntax, text between slashes is a path. */
function rejectRegex(word: SearchWord): void {
  const [, pattern] = /^(?:[\w.-]+:)?\/(.+)\/[a-z]*$/.exec(word.text) ?? []
  if (pattern === undefined || !/\.[*+?]|\\[a-z]|\||\(\?/i.test(pattern)) return
  throw new QuerySyntaxError(
    'Regular expressions are not supported. Use * to match any characters, or put the text in double quotes.',
    word,
  )
}
