import { number, text } from '../../common/rows.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import type { MappedBuild, NewFingerprint, StoredStack } from '../../failure-store.ts'
import type { Connection } from '../engine/connection.ts'
import { textList } from '../sql/text-list.ts'

const hasDebugIds = sql`JSONHas(attributes, 'debugIds')`

const stack = sql`assumeNotNull(exception_stack)`
const message = sql`assumeNotNull(exception_message)`
const frames = sql`if(position(${stack}, ${message}) > 0,
  substring(${stack}, position(${stack}, ${message}) + length(${message})), ${stack})`

/**
 * Identifies the input of the fingerprint: events with equal keys get equal fingerprints from any source map. Excludes the
 * message in the stack, because it differs between occurrences.
 */
const stackKey = sql`hex(MD5(concat(service, char(31), ifNull(release, ''), char(31), ifNull(fingerprint, ''), char(31),
  ifNull(route, ''), char(31),
  ${frames}, char(31), JSONExtractRaw(attributes, 'debugIds'))))`

function isFromBuilds(builds: readonly MappedBuild[]): Sql {
  const anyOf = builds.map(({ service, release }) =>
    service === null ? sql`release = ${release}` : sql`(release = ${release} AND service = ${service})`,
  )
  return sql`ifNull(${join(anyOf, ' OR ')}, false)`
}

function mayBeFromBuilds(builds: readonly MappedBuild[]): Sql {
  return sql`(fingerprint IS NOT NULL AND exception_stack IS NOT NULL AND source <> 'own'
    AND (${isFromBuilds(builds)} OR ${hasDebugIds}))`
}

export async function storedStacks(
  { select }: Pick<Connection, 'select'>,
  builds: readonly MappedBuild[],
  limit: number,
  signal?: AbortSignal,
): Promise<StoredStack[]> {
  if (builds.length === 0) return []
  const rows = await select(
    sql`SELECT ${stackKey} AS key, max(id) AS newest FROM event WHERE ${mayBeFromBuilds(builds)}
      GROUP BY key ORDER BY max(${isFromBuilds(builds)}) DESC, newest DESC LIMIT ${limit}`,
    signal,
  )
  return rows.map(row => ({ key: text(row.key), eventId: number(row.newest) }))
}

export async function fingerprintsAfterRegroup(
  { select }: Pick<Connection, 'select'>,
  builds: readonly MappedBuild[],
  changes: readonly NewFingerprint[],
  fingerprints: readonly string[],
): Promise<string[]> {
  if (fingerprints.length === 0) return []
  const rows = await select(sql`
    SELECT DISTINCT fingerprint FROM event
    WHERE fingerprint IN ${textList(fingerprints)} AND NOT ${changed(builds, changes)}`)
  return rows.map(row => text(row.fingerprint))
}

/** Returns the number of changed events. */
export async function regroup(
  { select, change, layout }: Pick<Connection, 'select' | 'change' | 'layout'>,
  builds: readonly MappedBuild[],
  changes: readonly NewFingerprint[],
): Promise<number> {
  if (changes.length === 0) return 0
  const [row] = await select(sql`SELECT count() AS count FROM event WHERE ${changed(builds, changes)}`)
  if (number(row?.count) === 0) return 0
  const keys = textList(changes.map(({ key }) => key))
  const fingerprints = textList(changes.map(({ fingerprint }) => fingerprint))
  await change(sql`
    ALTER TABLE ${layout.storedEvents} ${layout.on}
    UPDATE fingerprint = transform(${stackKey}, ${keys}, ${fingerprints}, ifNull(fingerprint, ''))
    WHERE ${changed(builds, changes)}`)
  return number(row?.count)
}

function changed(builds: readonly MappedBuild[], changes: readonly NewFingerprint[]): Sql {
  if (builds.length === 0) return sql`false`
  return sql`(${mayBeFromBuilds(builds)} AND ${stackKey} IN ${textList(changes.map(({ key }) => key))})`
}
