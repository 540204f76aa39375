import { type LiqeQuery, parse } from 'liqe'
import type { Query } from '../../shared/query.ts'
import type { SearchWord } from '../../shared/query-words.ts'

/**
 * Combines terms according to the operators between them. NOT binds more tightly than AND, and AND (explicit or implicit)
 * binds more tightly than OR.
 *
 * liqe parses the structure, with a placeholder for each term. Its grammar has no precedence, cannot parse much of what
 * people paste, and is ambiguous for terms without an operator, so the parsing time doubles with each pair of parentheses.
 * Rewriting the search avoids these limitations.
 */
export function joinTerms(words: readonly SearchWord[], terms: readonly Query[]): Query {
  return terms.length === 0 ? { kind: 'all' } : toQuery(parse(toLiqe(words)), terms)
}

/** Puts parentheses around each side of an OR, and doubles typed parentheses, so that AND binds more tightly. */
function toLiqe(words: readonly SearchWord[]): string {
  let text = '(('
  let terms = 0
  let negated = false
  let operandBefore = false
  for (const { kind } of words) {
    if (kind === 'not') {
      // liqe cannot parse NOT NOT, so each pair is removed.
      negated = !negated
      continue
    }
    if (kind === 'or') text += ') OR ('
    else if (kind === 'close') text += '))'
    else if (kind !== 'and') {
      text += `${operandBefore ? ' AND ' : ''}${negated ? 'NOT ' : ''}${kind === 'open' ? '((' : `t${terms++}`}`
      negated = false
    }
    operandBefore = kind === 'term' || kind === 'close' || kind === 'and'
  }
  return `${text}))`
}

function toQuery(tree: LiqeQuery, terms: readonly Query[]): Query {
  switch (tree.type) {
    case 'ParenthesizedExpression':
      return toQuery(tree.expression, terms)
    case 'UnaryOperator':
      return { kind: 'not', query: toQuery(tree.operand, terms) }
    case 'LogicalExpression':
      return {
        kind: tree.operator.operator === 'OR' ? 'or' : 'and',
        left: toQuery(tree.left, terms),
        right: toQuery(tree.right, terms),
      }
    case 'Tag': {
      const name = tree.expression.type === 'LiteralExpression' ? String(tree.expression.value) : ''
      const term = terms[Number(name.slice(1))]
      if (term !== undefined) return term
    }
  }
  throw new Error(`Unexpected ${tree.type} from liqe`)
}
