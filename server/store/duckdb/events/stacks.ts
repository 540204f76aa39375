import type { DuckDBConnection } from '@duckdb/node-api'
import { number, text } from '../../common/rows.ts'
import { join, name, type Sql, sql } from '../../common/sql.ts'
import type { MappedBuild, NewFingerprint, StoredStack } from '../../failure-store.ts'
import type { Segment } from '../engine/segments.ts'
import { changeSummarised } from '../engine/stored-summaries.ts'
import { runStatement } from '../engine/transaction.ts'
import { eventsOf, type Source } from '../sql/source.ts'
import { textList } from '../sql/text-list.ts'

/** Limited because the engine is slow at parsing statements with many values. */
const updatesPerStatement = 500

/**
 * Identifies the input of the fingerprint: events with equal keys get equal fingerprints, whichever source maps are used.
 * Excludes the message in the stack, because it differs between occurrences.
 */
const stackKey = sql`md5(concat_ws(chr(31), service, coalesce(release, ''), fingerprint, coalesce(route, ''),
  CASE WHEN contains(exception_stack, exception_message)
    THEN substr(exception_stack, strpos(exception_stack, exception_message) + length(exception_message))
    ELSE exception_stack END,
  CASE WHEN contains(attributes, '"debugIds":') THEN json_extract_string(attributes, '/debugIds') END))`

function isFromBuilds(builds: readonly MappedBuild[]): Sql {
  const anyOf = join(
    builds.map(({ service, release }) =>
      service === null ? sql`release = ${release}` : sql`(release = ${release} AND service = ${service})`,
    ),
    ' OR ',
  )
  return sql`coalesce(${anyOf}, false)`
}

function mayBeFromBuilds(builds: readonly MappedBuild[]): Sql {
  return sql`(fingerprint IS NOT NULL AND exception_stack IS NOT NULL AND source <> 'own'
    AND (${isFromBuilds(builds)} OR contains(attributes, '"debugIds":')))`
}

export async function storedStacks(
  { segments, query }: Source,
  builds: readonly MappedBuild[],
  limit: number,
): Promise<StoredStack[]> {
  if (builds.length === 0) return []
  const rows = await query(sql`
    SELECT ${stackKey} AS key, max(id) AS newest FROM ${eventsOf(segments.all())}
    WHERE ${mayBeFromBuilds(builds)} GROUP BY key
    ORDER BY bool_or(${isFromBuilds(builds)}) DESC, newest DESC LIMIT ${limit}`)
  return rows.map(row => ({ key: text(row.key), eventId: number(row.newest) }))
}

export async function fingerprintsAfterRegroup(
  { segments, query }: Source,
  builds: readonly MappedBuild[],
  changes: readonly NewFingerprint[],
  fingerprints: readonly string[],
): Promise<string[]> {
  if (fingerprints.length === 0) return []
  const changed =
    builds.length === 0
      ? sql`false`
      : sql`(${mayBeFromBuilds(builds)} AND ${stackKey} IN ${textList(changes.map(({ key }) => key))})`
  const rows = await query(sql`
    SELECT DISTINCT fingerprint FROM ${eventsOf(segments.all())}
    WHERE fingerprint IN ${textList(fingerprints)} AND NOT coalesce(${changed}, false)`)
  return rows.map(row => text(row.fingerprint))
}

/** Changes fingerprints in one segment. Returns the number of changed events. */
export async function regroup(
  connection: DuckDBConnection,
  segment: Segment,
  builds: readonly MappedBuild[],
  fingerprints: readonly NewFingerprint[],
): Promise<number> {
  let changed = 0
  for (let start = 0; start < fingerprints.length; start += updatesPerStatement) {
    const changes = fingerprints
      .slice(start, start + updatesPerStatement)
      .map(({ key, fingerprint }) => sql`(${key}, ${fingerprint})`)
    const table = sql`${name(segment.name)}.event`
    const update = sql`
      UPDATE ${table} SET fingerprint = change.new_fingerprint
      FROM (VALUES ${join(changes, ', ')}) AS change (key, new_fingerprint)
      WHERE ${mayBeFromBuilds(builds)} AND ${stackKey} = change.key`
    const rowsChanged = await changeSummarised(
      connection,
      segment,
      async () => (await runStatement(connection, update)).rowsChanged,
    )
    if (rowsChanged > 0) segment.revision += 1
    changed += rowsChanged
  }
  return changed
}
