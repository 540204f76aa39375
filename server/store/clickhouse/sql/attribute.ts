import { join, type Sql, sql } from '../../common/sql.ts'
import { numberIn } from './match.ts'
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
  const texts = paths.flatMap(jsonAt).map(
    json => sql`multiIf(
    ${json} IN ('', 'null'), NULL, startsWith(${json}, '"'), JSONExtractString(${json}), ${json})`,
  )
  return sql`coalesce(${join(texts, ', ')})`
}

export function attributeExists(path: string): Sql {
  return sql`(${join(
    jsonAt(path).map(json => sql`${json} <> ''`),
    ' OR ',
  )})`
}

/** The JSON that a path may refer to: nested keys, or one key that contains dots. Empty text if it does not exist. */
function jsonAt(path: string): Sql[] {
  const keys = path.split('.')
  const whole = sql`JSONExtractRaw(attributes, ${path})`
  if (keys.some(key => /^\d+$/.test(key))) return [inLists(keys), whole]
  const nested = sql`JSONExtractRaw(attributes, ${join(
    keys.map(key => sql`${key}`),
    ', ',
  )})`
  return keys.length === 1 ? [nested] : [nested, whole]
}

/** A number is a position in a list, or a key. The engine counts from one. */
function inLists(keys: readonly string[]): Sql {
  return sql`arrayFold((json, key) -> if(JSONType(json) = 'Array',
    if(match(key, '^[0-9]+$'), JSONExtractRaw(json, toInt64OrZero(key) + 1), ''),
    JSONExtractRaw(json, key)), ${textList(keys)}, attributes)`
}
