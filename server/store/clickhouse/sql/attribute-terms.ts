import { raw, type Sql, sql } from '../../common/sql.ts'
import { verbatim } from './verbatim.ts'

/** Attributes that are nested more deeply have no terms. */
export const maxTermDepth = 3
/** In bytes. Converting text to lower case can make it one and a half times as long. */
export const termLimits = { path: 64, searchedValue: 32, value: 48 } as const
/**
 * Text with five or more digits is usually an id, a time or a measurement. A term for each of them would make the index
 * large.
 */
const tooManyDigits = /([0-9][^0-9]*){5}/
const digitsPattern = raw(`'${tooManyDigits.source}'`)

/** Whether text is short enough, and has few enough digits, to be part of a term. */
export function isShort(text: string, maxBytes: number): boolean {
  return Buffer.byteLength(text) <= maxBytes && !tooManyDigits.test(text)
}

function isShortText(text: Sql, maxBytes: number): Sql {
  return sql`length(${text}) <= ${verbatim(String(maxBytes))} AND NOT match(${text}, ${digitsPattern})`
}

/**
 * The terms of an event's attributes: the keys and the value of each attribute, and the keys alone if a path can refer to
 * them in several ways. Text values are in lower case, and numbers have the form that `toString` returns. The bytes FF and
 * FE, which never occur in UTF-8, separate keys from each other and from the value. The event table contains this
 * expression, so changing the expression requires a new version of the tables.
 */
export const attributeTerms = termsOf(sql`arrayFilter(
  pair -> pair.2 <> 'null' AND ${isShortText(sql`pair.1`, termLimits.path)},
  ${pairsUpTo(maxTermDepth)})`)

/** Pairs of an attribute's keys and its JSON. */
function pairsUpTo(depth: number): Sql {
  let level = sql`JSONExtractKeysAndValuesRaw(attributes)`
  let pairs = level
  for (let above = 1; above < depth; above += 1) {
    level = sql`arrayFlatten(arrayMap(outer -> if(startsWith(outer.2, '{'),
      arrayMap(inner -> (concat(outer.1, '\\xFF', inner.1), inner.2), JSONExtractKeysAndValuesRaw(${parsable(sql`outer.2`)})),
      []), ${level}))`
    pairs = sql`arrayConcat(${pairs}, ${level})`
  }
  return pairs
}

/**
 * Shortens long integers. Sixpane adds the fraction `.0` to integers that need more than 64 bits, but ClickHouse omits the
 * fraction from the JSON of a nested object. ClickHouse then cannot parse this JSON. The terms do not
 * change, because no terms are created for values with that many digits.
 */
function parsable(json: Sql): Sql {
  return sql`replaceRegexpAll(${json}, '[0-9]{19,}', '11111')`
}

function termsOf(pairs: Sql): Sql {
  const text = sql`JSONExtractString(pair.2)`
  const finite = sql`arrayFirstOrNull(number -> isFinite(number), [toFloat64OrNull(trimBoth(${text}))])`
  // Adding zero turns -0 into 0.
  const value = sql`ifNull(toString(${finite} + 0), lowerUTF8(${text}))`
  const scalars = sql`arrayFilter(pair -> NOT match(pair.2, '^([{[]|-?[0-9]{19})'), ${pairs})`
  return sql`arrayConcat(
    arrayMap(pair -> concat(pair.1, '\\xFE', pair.2), arrayFilter(pair -> ${isShortText(sql`pair.2`, termLimits.value)},
      arrayMap(pair -> (pair.1, ${value}), ${scalars}))),
    arrayMap(pair -> pair.1, arrayFilter(pair -> position(pair.1, '.') > 0 OR position(pair.1, '\\xFF') > 0, ${pairs})))`
}
