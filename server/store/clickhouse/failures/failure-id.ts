import { type Sql, sql } from '../../common/sql.ts'
import { textList } from '../sql/text-list.ts'

/**
 * The failure id of an event with a fingerprint. Most fingerprints equal the id of their failure, so the expression lists
 * only the others.
 * @param failureIds pairs of a fingerprint and its failure id
 */
export function failureId(failureIds: readonly (readonly [string, string])[]): Sql {
  const moved = failureIds.filter(([fingerprint, id]) => fingerprint !== id)
  const fingerprint = sql`assumeNotNull(fingerprint)`
  if (moved.length === 0) return fingerprint
  const from = textList(moved.map(([each]) => each))
  const to = textList(moved.map(([, id]) => id))
  return sql`transform(${fingerprint}, ${from}, ${to}, ${fingerprint})`
}
