import type { Comparison } from '../../../../shared/query.ts'
import { compares, inJson, matches } from './match.ts'
import { join, type Sql, sql } from './sql.ts'

/** An attribute compared with a value. Text that reads as the number compares as the number. */
export function compareAttribute(
  path: string,
  comparison: Comparison,
  value: string | number | boolean,
): Sql {
  const found = valueAt(path)
  return where(
    path,
    typeof value === 'number'
      ? compares(sql`TRY_CAST(${found} AS DOUBLE)`, comparison, value)
      : matches(found, String(value)),
  )
}

export function attributeBetween(path: string, from: number, to: number): Sql {
  return where(path, sql`TRY_CAST(${valueAt(path)} AS DOUBLE) BETWEEN ${from} AND ${to}`)
}

export function attributeExists(path: string): Sql {
  const exists = pointers(path).map(pointer => sql`json_exists(attributes, ${pointer})`)
  return where(path, sql`(${join(exists, ' OR ')})`)
}

/** An attribute as text, or null. */
export function attributeText(path: string): Sql {
  return where(path, valueAt(path))
}

/** The first of several attributes that is there, as text, or null. All are found in one reading of the JSON. */
export function firstAttribute(paths: readonly string[]): Sql {
  const places = paths.flatMap(pointers).map(pointer => sql`${pointer}`)
  return sql`list_any_value(json_extract_string(attributes, [${join(places, ', ')}]))`
}

function valueAt(path: string): Sql {
  return sql`coalesce(${join(
    pointers(path).map(pointer => sql`json_extract_string(attributes, ${pointer})`),
    ', ',
  )})`
}

/**
 * The places a dotted path can mean, as JSON Pointers (https://www.rfc-editor.org/rfc/rfc6901), in which no key
 * is special: keys inside keys, and one key with dots, as OpenTelemetry writes its attributes.
 */
function pointers(path: string): string[] {
  const escaped = path.replaceAll('~', '~0').replaceAll('/', '~1')
  return [...new Set([`/${escaped.replaceAll('.', '/')}`, `/${escaped}`])]
}

/**
 * Reading JSON is some twenty times as slow as finding text, so only attributes that hold the last key at all
 * are read. They are written without spaces (`append.ts`). An index into a list stands in no text.
 */
function where(path: string, expression: Sql): Sql {
  const key = path.slice(path.lastIndexOf('.') + 1)
  if (/^\d+$/.test(key)) return expression
  return sql`CASE WHEN contains(attributes, ${`${inJson(key)}":`}) THEN ${expression} END`
}
