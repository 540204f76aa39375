import { join, name, type Sql, sql } from '../../common/sql.ts'
import { statement } from './statement.ts'

/** How search terms refer to an event's values. */
export type Terms = {
  /** Text computed from a column, such as `lower(body)`. */
  text(value: Sql, column: Sql): Sql
  /** A condition that needs no computed text. */
  condition(value: Sql): Sql
}

/** Each term computes its own text. */
export const inPlace: Terms = { text: value => value, condition: value => value }

/** Above this size, a row's text is computed only once. For short text, binding takes longer than recomputing. */
const maxShortBytes = 1000

/** For up to this many terms on the same text, it is faster if each term computes its own text. */
const maxInPlace = 3

/**
 * Builds a condition from several terms. The engine keeps the result of each `lower(…)` for a whole block of rows, outside
 * its memory limit. For long rows, all terms therefore share one result.
 */
export function computeOnce(build: (terms: Terms) => Sql): Sql {
  const { uses, terms } = countUses()
  const inPlace = build(terms)
  const repeated = [...uses.values()].filter(({ count }) => count > maxInPlace)
  if (repeated.length === 0) return inPlace
  const columns = new Map(repeated.map(({ column }) => [keyOf(column), column]))
  const sizes = [...columns.values()].map(column => sql`coalesce(strlen(${column}), 0)`)
  // CASE guarantees the evaluation order; the engine may evaluate the operands of AND and OR in any order.
  return sql`CASE WHEN ${join(sizes, ' + ')} <= ${maxShortBytes} THEN ${inPlace} ELSE ${bound(build)} END`
}

/** Whether a condition computes text from a column. */
export function computesText(build: (terms: Terms) => Sql): boolean {
  const { uses, terms } = countUses()
  build(terms)
  return uses.size > 0
}

function countUses() {
  const uses = new Map<string, { column: Sql; count: number }>()
  const terms: Terms = {
    text(value, column) {
      const key = keyOf(value)
      uses.set(key, { column, count: (uses.get(key)?.count ?? 0) + 1 })
      return value
    },
    condition: inPlace.condition,
  }
  return { uses, terms }
}

/** Binds each distinct value to a name. SQL has no `let`, but the engine evaluates a lambda's argument only once. */
function bound(build: (terms: Terms) => Sql): Sql {
  const fields = new Map<string, { field: Sql; value: Sql }>()
  const bind = (value: Sql) => {
    const key = keyOf(value)
    const entry = fields.get(key) ?? { field: name(`field_${fields.size}`), value }
    fields.set(key, entry)
    return sql`row.${entry.field}`
  }
  // Other conditions are bound too, because a lambda cannot contain a subquery.
  const condition = build({ text: bind, condition: bind })
  const values = [...fields.values()].map(({ field, value }) => sql`${field} := ${value}`)
  return sql`list_transform([struct_pack(${join(values, ', ')})], lambda row: ${condition})[1]`
}

function keyOf(fragment: Sql): string {
  const { text, values } = statement(fragment)
  return JSON.stringify([text, values])
}
