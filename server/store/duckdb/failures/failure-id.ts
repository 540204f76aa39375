import { text } from '../../common/rows.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import type { Source } from '../sql/source.ts'
import { textList } from '../sql/text-list.ts'

/** The failure id of a row. Requires a left join with `workspace.failure_fingerprint` on the fingerprint. */
export const failureId: Sql = sql`coalesce(failure_id, fingerprint)`

/** The id of the failure that a fingerprint belongs to. */
export function failureIdOf(fingerprint: string): Sql {
  return sql`coalesce(
    (SELECT failure_id FROM workspace.failure_fingerprint WHERE fingerprint = ${fingerprint}), ${fingerprint})`
}

export async function findFailureId({ query }: Pick<Source, 'query'>, fingerprint: string): Promise<string> {
  const [row] = await query(sql`SELECT ${failureIdOf(fingerprint)} AS failure_id`)
  return text(row?.failure_id)
}

/** For up to this many fingerprints, the engine reads fewer rows with constants. It takes seconds to bind thousands. */
const maxConstants = 100

/** Returns a condition that is true for events with one of these fingerprints. */
export function isOneOf(fingerprints: readonly string[]): Sql {
  return fingerprints.length > maxConstants
    ? sql`fingerprint IN ${textList(fingerprints)}`
    : sql`fingerprint IN (${values(fingerprints)})`
}

export function values(list: readonly (string | number)[]): Sql {
  return join(
    list.map(value => sql`${value}`),
    ', ',
  )
}
