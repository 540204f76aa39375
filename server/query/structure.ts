import type { Query } from '../../shared/query.ts'
import type { SearchWord } from '../../shared/query-words.ts'

/**
 * Combines terms according to the operators between them. NOT binds more tightly than AND, and AND (explicit or implicit)
 * binds more tightly than OR.
 * @param words words that `checkStructure` accepts, so an operand is missing only if the search is empty
 */
export function joinTerms(words: readonly SearchWord[], terms: readonly Query[]): Query {
  const kinds = words.map(({ kind }) => kind)
  const remaining = terms.values()
  let at = 0
  const skip = (kind: SearchWord['kind']) => {
    const isNext = kinds[at] === kind
    if (isNext) at += 1
    return isNext
  }
  const alternatives = (): Query => {
    let left = conjunction()
    while (skip('or')) left = { kind: 'or', left, right: conjunction() }
    return left
  }
  const conjunction = (): Query => {
    let left = operand()
    while (at < kinds.length && kinds[at] !== 'or' && kinds[at] !== 'close') {
      skip('and')
      left = { kind: 'and', left, right: operand() }
    }
    return left
  }
  const operand = (): Query => {
    let isNegated = false
    while (skip('not')) isNegated = !isNegated
    const isGroup = skip('open')
    const query = isGroup ? alternatives() : (remaining.next().value ?? { kind: 'all' })
    skip(isGroup ? 'close' : 'term')
    return isNegated ? { kind: 'not', query } : query
  }
  return alternatives()
}
