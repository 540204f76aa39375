import type { Query } from '../../../../shared/query.ts'
import { operands } from '../../common/operands.ts'

/**
 * The conditions that a search has in addition to those of a wider search. `null` if that is not the only difference, or if
 * evaluating the wider search is fast.
 */
export function furtherConditions(query: Query, wider: Query): Query[] | null {
  const [all, shared] = [operands(query, 'and'), operands(wider, 'and')]
  if (!shared.some(needsText) || !shared.every(each => all.includes(each))) return null
  return all.filter(each => !shared.includes(each))
}

/** Whether evaluating a search requires long columns: those that are searched for text, or the attributes. */
export function needsText(query: Query): boolean {
  switch (query.kind) {
    case 'text':
    case 'attribute':
      return true
    case 'exists':
    case 'between':
      return typeof query.field !== 'string'
    case 'not':
      return needsText(query.query)
    case 'and':
    case 'or':
      return operands(query, query.kind).some(needsText)
    case 'all':
    case 'field':
      return false
  }
}
