import type { QueryProblem } from '../../shared/query.ts'

/** Thrown and caught within this folder: `parseQuery` returns the problem. */
export class Unreadable extends Error {
  readonly problem: QueryProblem
  constructor(message: string, { from, to }: { from: number; to: number }) {
    super(message)
    this.problem = { message, from, to }
  }
}
