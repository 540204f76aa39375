import { type LiqeQuery, parse } from 'liqe'
import type { Query } from '../../shared/query.ts'
import type { SearchWord } from '../../shared/query-words.ts'

/**
 * Joins terms as the words between them say: AND (also where nothing stands between two terms) binds more
 * tightly than OR, NOT more tightly than both.
 *
 * liqe reads the structure; each term is only a name to it. Its grammar is ambiguous where terms stand side by
 * side without an operator (the time doubles with each pair of parentheses), knows no precedence, and can't
 * read many things that people paste; so it is given none of them.
 */
export function joinTerms(words: readonly SearchWord[], terms: readonly Query[]): Query {
  return terms.length === 0 ? { kind: 'all' } : toQuery(parse(written(words)), terms)
}

/** Parentheses around each side of an OR, and two for each that was typed, make AND the tighter one. */
function written(words: readonly SearchWord[]): string {
  let text = '(('
  let terms = 0
  let negated = false
  let operandBefore = false
  for (const { kind } of words) {
    if (kind === 'not') {
      // liqe reads no NOT after a NOT: two of them are none.
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
  throw new Error(`liqe read a ${tree.type} that was not written`)
}
