import type { QueryProblem } from '../../shared/query.ts'

/** Thrown inside this folder only: `parseQuery` turns it into the problem that it holds. */
export class Unreadable extends Error {
  readonly problem: QueryProblem
  constructor(message: string, { from, to }: { from: number; to: number }) {
    super(message)
    this.problem = { message, from, to }
  }
}
