import { attributeKeys } from '../../common/attribute-keys.ts'
import { type Sql, sql } from '../../common/sql.ts'
import { isPosition } from './attribute-part.ts'
import { isShort, maxTermDepth, termLimits } from './attribute-terms.ts'

const maxNumber = 9999

/**
 * A condition for an attribute that equals a value, ignoring case. ClickHouse evaluates the condition with the term
 * index, without reading attributes. Returns `null` if the index does not contain such values.
 * @param value if it is a number, text that represents the same number also matches, such as `5.0`
 */
export function hasAttributeTerm(path: string, value: string | number): Sql | null {
  const keys = path.split('.')
  if (keys.length > maxTermDepth || keys.some(isPosition) || !isShort(path, termLimits.path)) return null
  return isTerm(value) ? hasTerm(attributeKeys(path), value) : null
}

function isTerm(value: string | number): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) <= maxNumber
  // Objects and lists have no terms, and the term of numeric text may have another form.
  const isOther = /^([{[]|[\s+.-]*\d)/.test(value)
  return !isOther && isShort(value, termLimits.searchedValue)
}

/** If an event contains several of these lists of keys, only the first one can match. */
function hasTerm([keys = [], ...others]: readonly string[][], value: string | number): Sql {
  const equals = sql`has(attribute_terms, concat(${joined(keys)}, '\\xFE', lowerUTF8(${String(value)})))`
  if (others.length === 0) return equals
  return sql`(${equals} OR (NOT has(attribute_terms, ${joined(keys)}) AND ${hasTerm(others, value)}))`
}

function joined([first = '', ...others]: readonly string[]): Sql {
  return others.reduce((keys, key) => sql`concat(${keys}, '\\xFF', ${key})`, sql`${first}`)
}
