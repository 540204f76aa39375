import type { Query } from '../../../shared/query.ts'

/** Flattens nested `and` or `or` into one list: engines limit the depth of an expression, but not its width. */
export function operands(query: Query, kind: 'and' | 'or'): Query[] {
  const flattened: Query[] = []
  const open = [query]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === 'and' || next.kind === 'or') {
      if (next.kind === kind) open.push(next.right, next.left)
      else flattened.push(next)
    } else flattened.push(next)
  }
  return flattened
}
