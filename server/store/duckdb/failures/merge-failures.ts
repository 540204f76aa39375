import type { Sql } from '../../common/sql.ts'
import type { Database } from '../engine/database.ts'
import { findFailureId } from './failure-id.ts'
import { markKnown } from './failure-scan.ts'
import type { GroupingLock } from './grouping-lock.ts'

/**
 * Merges a failure into another one. Does nothing if both ids belong to the same failure.
 * @param changes returns the statements that move what belongs to the first failure
 */
export function mergeFailures(
  { query, execute, withGroupingLock }: Pick<Database['workspace'], 'query' | 'execute'> & GroupingLock,
  id: string,
  into: string,
  changes: (from: string, to: string) => readonly Sql[],
): Promise<void> {
  return withGroupingLock(async () => {
    const from = await findFailureId({ query }, id)
    const to = await findFailureId({ query }, into)
    if (from !== to) await execute(markKnown([from, to]), ...changes(from, to))
  })
}
