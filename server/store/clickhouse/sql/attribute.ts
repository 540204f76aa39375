import { attributeKeys } from '../../common/attribute-keys.ts'
import type { Pattern } from '../../common/compares.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import { attributePart, isPosition, keyPart } from './attribute-part.ts'
import { containsAscii, numberIn } from './match.ts'
import { skipUnlessContains } from './searched-text.ts'
import { textList } from './text-list.ts'

/** An attribute as text, or null. */
export function attributeText(path: string): Sql {
  return firstAttribute([path])
}

export function attributeNumber(path: string): Sql {
  return numberIn(attributeText(path))
}

/** The first of several attributes that exists, as text, or null. */
export function firstAttribute(paths: readonly string[]): Sql {
  return sql`coalesce(${join(paths.flatMap(textsAt), ', ')})`
}

/**
 * Speeds up a condition that can be true only if an attribute exists and matches the pattern: JSON without the necessary
 * text is not parsed.
 * @param pattern `null` for any value
 * @param addsIndexHint whether to add the hint for the index of searched text, which ClickHouse cannot use after NOT
 */
export function ofAttribute(
  path: string,
  pattern: Pattern | null,
  condition: Sql,
  addsIndexHint = true,
): Sql {
  const part = attributePart(path, pattern)
  if (part === null) return condition
  const parsed = sql`if(${containsAscii(sql`attributes`, part)}, ${condition}, false)`
  return addsIndexHint ? skipUnlessContains([part], parsed) : parsed
}

export function attributeExists(path: string): Sql {
  const exists = attributeKeys(path).map(keys =>
    ifHasDottedKey(
      keys,
      isKeysOnly(keys) ? sql`JSONHas(attributes, ${keyList(keys)})` : sql`${inLists(keys)} <> ''`,
      sql`false`,
    ),
  )
  return sql`(${join(exists, ' OR ')})`
}

/** The values that a path may refer to, as text. A missing value is null. */
function textsAt(path: string): Sql[] {
  return attributeKeys(path).map(keys =>
    ifHasDottedKey(keys, isKeysOnly(keys) ? textAt(keys) : textOf(inLists(keys)), sql`NULL`),
  )
}

/**
 * Evaluates an expression for a key with dots only if the JSON may contain that key. Few events have such keys, so JSON is
 * rarely parsed again.
 */
function ifHasDottedKey(keys: readonly string[], expression: Sql, otherwise: Sql): Sql {
  const dotted = keys.find(key => key.includes('.'))
  if (dotted === undefined) return expression
  return sql`if(${containsAscii(sql`attributes`, keyPart(dotted))}, ${expression}, ${otherwise})`
}

function isKeysOnly(keys: readonly string[]): boolean {
  return !keys.some(isPosition)
}

function textAt(keys: readonly string[]): Sql {
  return sql`JSONExtract(attributes, ${keyList(keys)}, 'Nullable(String)')`
}

function keyList(keys: readonly string[]): Sql {
  return join(
    keys.map(key => sql`${key}`),
    ', ',
  )
}

/** The text of a JSON value. Null for `null`, or if there is no value. */
function textOf(json: Sql): Sql {
  return sql`multiIf(
    ${json} IN ('', 'null'), NULL, startsWith(${json}, '"'), JSONExtractString(${json}), ${json})`
}

/**
 * Returns the JSON at these keys, or empty text. A numeric key is a position in a list, or a key of an object. ClickHouse
 * counts positions from one. It uses only the last 32 bits of a position, so longer ones must be excluded.
 */
function inLists(keys: readonly string[]): Sql {
  return sql`arrayFold((json, key) -> if(JSONType(json) = 'Array',
    if(match(key, '^0*[0-9]{1,9}$'), JSONExtractRaw(json, toInt64OrZero(key) + 1), ''),
    JSONExtractRaw(json, key)), ${textList(keys)}, attributes)`
}
