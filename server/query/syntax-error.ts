import type { QueryProblem } from '../../shared/query.ts'

/** A problem in the text of a search. Caught by `parseQuery`, which returns the problem. */
export class QuerySyntaxError extends Error {
  override name = 'QuerySyntaxError'
  readonly problem: QueryProblem
  constructor(message: string, { from, to }: { from: number; to: number }) {
    super(message)
    this.problem = { message, from, to }
  }
}
