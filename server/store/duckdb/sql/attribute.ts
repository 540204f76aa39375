import type { Comparison } from '../../../../shared/query.ts'
import type { Terms } from './compute-once.ts'
import { compares, inJson, matches } from './match.ts'
import { join, type Sql, sql } from './sql.ts'

/** Compares an attribute with a value. If the value is a number, text attributes are converted to numbers. */
export function compareAttribute(
  terms: Terms,
  path: string,
  comparison: Comparison,
  value: string | number | boolean,
  isLiteral: boolean,
): Sql {
  return typeof value === 'number'
    ? compares(terms.text(attributeNumber(path), sql`attributes`), comparison, value)
    : matches(terms, { text: String(value), isLiteral }, sql`attributes`, attributeText(path))
}

export function attributeBetween(terms: Terms, path: string, from: number, to: number): Sql {
  return sql`${terms.text(attributeNumber(path), sql`attributes`)} BETWEEN ${from} AND ${to}`
}

export function attributeExists(path: string): Sql {
  const exists = pointers(path).map(pointer => sql`json_exists(attributes, ${pointer})`)
  return ifPresent(path, sql`(${join(exists, ' OR ')})`)
}

/** An attribute as text, or null. */
export function attributeText(path: string): Sql {
  return ifPresent(path, valueAt(path))
}

function attributeNumber(path: string): Sql {
  return sql`TRY_CAST(${attributeText(path)} AS DOUBLE)`
}

/** The first of several attributes that exists, as text, or null. Parses the JSON once. */
export function firstAttribute(paths: readonly string[]): Sql {
  const alternatives = paths.flatMap(pointers).map(pointer => sql`${pointer}`)
  return sql`list_any_value(json_extract_string(attributes, [${join(alternatives, ', ')}]))`
}

function valueAt(path: string): Sql {
  return sql`coalesce(${join(
    pointers(path).map(pointer => sql`json_extract_string(attributes, ${pointer})`),
    ', ',
  )})`
}

/**
 * A dotted path can mean nested keys, or one key with dots, as in OpenTelemetry. JSON Pointers
 * (https://www.rfc-editor.org/rfc/rfc6901) can address any key.
 */
function pointers(path: string): string[] {
  const escaped = path.replaceAll('~', '~0').replaceAll('/', '~1')
  return [...new Set([`/${escaped.replaceAll('.', '/')}`, `/${escaped}`])]
}

/**
 * Parsing JSON is about twenty times slower than searching text, so only attributes whose text contains the last key are
 * parsed. `append.ts` writes JSON without spaces. A list index is not checked, because it does not appear in the text.
 */
function ifPresent(path: string, expression: Sql): Sql {
  const key = path.slice(path.lastIndexOf('.') + 1)
  if (/^\d+$/.test(key)) return expression
  return sql`CASE WHEN contains(attributes, ${`${inJson(key)}":`}) THEN ${expression} END`
}
