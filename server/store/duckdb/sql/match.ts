import { hasWildcard, type Pattern } from '../../common/compares.ts'
import { type Sql, sql } from '../../common/sql.ts'
import type { Terms } from './compute-once.ts'

/** Compares the text of a column, or text computed from it, ignoring case. */
export function matches(terms: Terms, matched: Pattern, column: Sql, text: Sql = column): Sql {
  const { text: pattern } = matched
  const lowered = sql`lower(${text})`
  if (!hasWildcard(matched)) return sql`${terms.text(lowered, column)} = lower(${pattern})`
  const [, inner] = /^\*([^*]+)\*$/.exec(pattern) ?? []
  if (inner !== undefined) return sql`contains(${terms.text(lowered, column)}, lower(${inner}))`
  if (!/[%_]/.test(pattern)) return like(terms.text(lowered, column), sql`lower(${pattern})`)
  return like(terms.text(withoutWildcards(lowered), column), withoutWildcards(sql`lower(${pattern})`))
}

function like(text: Sql, pattern: Sql): Sql {
  return sql`${text} LIKE replace(${pattern}, '*', '%')`
}

/**
 * Replaces LIKE wildcards with upper-case letters, which lower-case text cannot contain. With ESCAPE or `_`, LIKE's
 * running time is exponential in the number of wildcards.
 */
function withoutWildcards(lowered: Sql): Sql {
  return sql`replace(replace(${lowered}, '%', 'P'), '_', 'U')`
}

/** Escapes text as in a JSON string. */
export function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
