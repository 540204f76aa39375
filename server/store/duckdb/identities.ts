import type { DuckDBConnection } from '@duckdb/node-api'
import type { KeptStack, NewIdentity } from '../store.ts'
import { number, text } from './rows.ts'
import type { Segment } from './segments.ts'
import { eventsOf, type Source } from './source.ts'
import { join, name, type Sql, sql, statement } from './sql.ts'

/** Statements of so many values take the engine long to read. */
const movesAStatement = 500

/**
 * Names what has one fingerprint whatever maps are found for it: the stack behind the message, which differs from
 * one occurrence to the next, and the build that it is of.
 */
const stackKey = sql`md5(concat_ws(chr(31), coalesce(release, ''), fingerprint, coalesce(route, ''),
  substr(exception_stack, strpos(exception_stack, exception_message) + length(exception_message)),
  CASE WHEN contains(attributes, '"debugIds":') THEN json_extract_string(attributes, '/debugIds') END))`

function ofBuilds(releases: readonly string[]): Sql {
  const listed = join(
    releases.map(release => sql`${release}`),
    ', ',
  )
  return sql`(fingerprint IS NOT NULL AND exception_stack IS NOT NULL AND source <> 'own'
    AND (release IN (${listed}) OR contains(attributes, '"debugIds":')))`
}

export async function keptStacks(
  { segments, ask }: Source,
  releases: readonly string[],
  limit: number,
): Promise<KeptStack[]> {
  if (releases.length === 0) return []
  const rows = await ask(sql`
    SELECT ${stackKey} AS key, max(id) AS newest FROM ${eventsOf(segments.all())}
    WHERE ${ofBuilds(releases)} GROUP BY key ORDER BY newest DESC LIMIT ${limit}`)
  return rows.map(row => ({ key: text(row.key), eventId: number(row.newest) }))
}

/** Sets fingerprints in one segment; gives how many events got another one. */
export async function identify(
  connection: DuckDBConnection,
  segment: Segment,
  releases: readonly string[],
  identities: readonly NewIdentity[],
): Promise<number> {
  let changed = 0
  for (let start = 0; start < identities.length; start += movesAStatement) {
    const moves = identities
      .slice(start, start + movesAStatement)
      .map(({ key, fingerprint }) => sql`(${key}, ${fingerprint})`)
    const table = sql`${name(segment.name)}.event`
    const { text, values, types } = statement(sql`
      UPDATE ${table} SET fingerprint = move.identity
      FROM (VALUES ${join(moves, ', ')}) AS move (stack, identity)
      WHERE ${ofBuilds(releases)} AND ${stackKey} = move.stack`)
    changed += (await connection.run(text, values, types)).rowsChanged
  }
  return changed
}
