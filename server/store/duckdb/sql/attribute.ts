import type { Comparison } from '../../../../shared/query.ts'
import { attributeKeys } from '../../common/attribute-keys.ts'
import { compares, hasWildcard, type Pattern } from '../../common/compares.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import { inPlace, type Terms } from './compute-once.ts'
import { inJson, matches } from './match.ts'
import { numberIn } from './number-in.ts'

/** Compares an attribute with a value. If the value is a number, text attributes are converted to numbers. */
export function compareAttribute(
  terms: Terms,
  path: string,
  comparison: Comparison,
  value: string | number | boolean,
  isLiteral: boolean,
): Sql {
  return terms.condition(
    typeof value === 'number'
      ? compares(attributeNumber(path), comparison, value)
      : attributeMatches(path, { text: String(value), isLiteral }),
  )
}

export function attributeBetween(terms: Terms, path: string, from: number, to: number): Sql {
  return terms.condition(sql`${attributeNumber(path)} BETWEEN ${from} AND ${to}`)
}

export function attributeExists(path: string): Sql {
  const exists = attributeKeys(path).map(keys =>
    ifHasDottedKey(keys, sql`json_exists(${json}, ${pointer(keys)})`, sql`false`),
  )
  return ifPresent(path, oncePerText(sql`(${join(exists, ' OR ')})`))
}

/** An attribute as text, or null. */
export function attributeText(path: string): Sql {
  return ifPresent(path, oncePerText(valueAt(path)))
}

/** An attribute as a number, or null. */
export function attributeNumber(path: string): Sql {
  return ifPresent(path, oncePerText(numberIn(valueAt(path))))
}

function attributeMatches(path: string, pattern: Pattern): Sql {
  return ifPresent(path, oncePerText(matches(inPlace, pattern, valueAt(path))))
}

/** The first of several attributes that exists, as text, or null. Parses the JSON once. */
export function firstAttribute(paths: readonly string[]): Sql {
  const alternatives = paths.flatMap(attributeKeys).map(keys => sql`${pointer(keys)}`)
  return sql`list_any_value(json_extract_string(attributes, [${join(alternatives, ', ')}]))`
}

function valueAt(path: string): Sql {
  return sql`coalesce(${join(
    attributeKeys(path).map(keys =>
      ifHasDottedKey(keys, sql`json_extract_string(${json}, ${pointer(keys)})`, sql`NULL`),
    ),
    ', ',
  )})`
}

/** A JSON Pointer, which can address any key: https://www.rfc-editor.org/rfc/rfc6901 */
function pointer(keys: readonly string[]): string {
  return keys.map(key => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/**
 * If one of several keys contains dots, evaluates the expression only if the JSON may contain that key. Few events have such
 * keys, so JSON is rarely parsed again.
 */
function ifHasDottedKey(keys: readonly string[], expression: Sql, otherwise: Sql): Sql {
  const dotted = keys.length === 1 ? undefined : keys.find(key => key.includes('.'))
  if (dotted === undefined) return expression
  return sql`CASE WHEN contains(${json}, ${`"${inJson(dotted)}":`}) THEN ${expression} ELSE ${otherwise} END`
}

/** The name of the attributes in an expression inside `oncePerText`. */
const json = sql`json_text`

/**
 * The engine computes a list function only once for each distinct text in a compressed block, but a JSON function for every
 * event.
 */
function oncePerText(expression: Sql): Sql {
  return sql`list_transform([attributes], lambda ${json}: ${expression})[1]`
}

/**
 * Parsing JSON is slower than searching text, so only attributes whose text contains the last key are parsed. `append.ts`
 * writes JSON without spaces.
 */
function ifPresent(path: string, expression: Sql): Sql {
  const key = lastKey(path)
  return key === null ? expression : sql`CASE WHEN contains(attributes, ${key}) THEN ${expression} END`
}

/**
 * The JSON text that attributes contain if a path has this value, ignoring case: the last key and the string. `null` if the
 * value might not be a string.
 */
export function writtenString(path: string, pattern: Pattern): string | null {
  if (hasWildcard(pattern) || mayBeOtherJson.test(pattern.text)) return null
  return `${lastKey(path) ?? ''}"${inJson(pattern.text)}"`
}

/** Matches the JSON text of a number, a boolean, null, a list or an object. */
const mayBeOtherJson = /^(?:[\d.e+-]*|true|false|null|[[{].*)$/is

/** The last key of a path, as written in JSON. `null` for a list index, which does not appear in the text. */
function lastKey(path: string): string | null {
  const key = path.slice(path.lastIndexOf('.') + 1)
  return /^\d+$/.test(key) ? null : `${inJson(key)}":`
}
