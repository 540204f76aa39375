import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { readPosition, writePosition } from '../../common/position.ts'
import { number, type Row, text, textOrNull } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import { acceptedMs } from '../../common/time.ts'
import type { Resolution, Scan, ScannedOccurrence, ScanResult, ServiceRelease } from '../../failure-store.ts'
import { eventsOf, type Source } from '../sql/source.ts'
import { textList } from '../sql/text-list.ts'
import { failureId, failureIdOf } from './failure-id.ts'

/** Reads up to `limit` occurrences with ids after `afterId` and up to `newestId`. */
export async function scanAfter(
  { segments, query }: Source,
  afterId: number,
  newestId: number,
  limit: number,
): Promise<Scan> {
  const newer = segments.all().filter(({ lastId }) => lastId > afterId)
  if (newer.length === 0) return { occurrences: [], position: writePosition([newestId]), isEnd: true }
  const upTo = (toId: number) => sql`${eventsOf(newer)}
    WHERE id > ${afterId} AND id <= ${toId} AND fingerprint IS NOT NULL`
  const [reached] = await query(sql`
    SELECT count(*) AS count, max(id) AS last_id
    FROM (SELECT id FROM ${upTo(newestId)} ORDER BY id LIMIT ${limit})`)
  const isEnd = number(reached?.count) < limit
  const lastId = isEnd ? newestId : number(reached?.last_id)
  return { occurrences: await readOccurrences(query, upTo(lastId)), position: writePosition([lastId]), isEnd }
}

/** Reads the occurrences of a failure after it was resolved: see `FailureStates.occurrencesSinceResolved`. */
export async function scanSinceResolved(
  { segments, query }: Source,
  id: string,
): Promise<ScannedOccurrence[]> {
  const [resolved] = await query(sql`
    SELECT after_id, last_id FROM workspace.failure_state, workspace.progress
    WHERE failure_id = ${failureIdOf(id)} AND state = 'resolved' AND reader = 'failures'`)
  if (resolved === undefined) return []
  const [afterId, lastId] = [number(resolved.after_id), number(resolved.last_id)]
  const newer = segments.all().filter(({ lastId }) => lastId > afterId)
  if (newer.length === 0) return []
  return readOccurrences(
    query,
    sql`${eventsOf(newer)} WHERE id > ${afterId} AND id <= ${lastId} AND fingerprint IN (
      SELECT fingerprint FROM workspace.failure_fingerprint WHERE failure_id = ${failureIdOf(id)})`,
  )
}

/** Reads the occurrences of unknown and resolved failures in a part of the events: see `Scan`. */
async function readOccurrences(query: Source['query'], events: Sql): Promise<ScannedOccurrence[]> {
  const rows = await query(sql`
    SELECT ${failureId} AS failure_id, follows, service, release, min(id) AS first_id,
      resolved_ms, fixed_release, old_releases
    FROM (SELECT * FROM ${events})
    LEFT JOIN workspace.failure_fingerprint USING (fingerprint)
    LEFT JOIN workspace.failure_state USING (failure_id)
    WHERE failure_id IS NULL OR (state = 'resolved' AND id > after_id)
      OR (follows IS NOT NULL AND failure_id NOT IN (SELECT fingerprint FROM workspace.failure_fingerprint))
    GROUP BY ALL ORDER BY first_id`)
  // A failure may have many occurrences, and its resolution thousands of old releases.
  const resolutions = new Map<string, Resolution>()
  return rows.map(row => {
    const id = text(row.failure_id)
    const resolution = row.resolved_ms === null ? null : (resolutions.get(id) ?? readResolution(row))
    if (resolution !== null) resolutions.set(id, resolution)
    return readOccurrence(row, resolution)
  })
}

/** The statements that store a scan result. */
export function commitResult({ known, returned, position }: ScanResult): Sql[] {
  const [lastId = 0] = readPosition(position) ?? []
  return [
    markKnown(known),
    ...reopen(returned),
    sql`INSERT INTO workspace.progress VALUES ('failures', ${lastId})
      ON CONFLICT (reader) DO UPDATE SET last_id = excluded.last_id`,
  ]
}

/** The statements that reopen failures which have returned. */
export function reopen(returned: ScanResult['returned']): Sql[] {
  return returned.map(
    ({ failureId, release, atMs, resolvedMs }) => sql`
      UPDATE workspace.failure_state SET state = 'open', state_ms = ${atMs}, state_by = NULL,
        returned_release = ${release}, returned_ms = ${atMs}
      WHERE ${isResolvedSince(failureId, resolvedMs)}`,
  )
}

/** Returns a condition that is true for the state of a failure if the resolution from `resolvedMs` is still in effect. */
export function isResolvedSince(id: string, resolvedMs: number): Sql {
  return sql`failure_id = ${failureIdOf(id)} AND state = 'resolved' AND resolved_ms = ${resolvedMs}`
}

/** Inserts fingerprints that are not yet known. */
export function markKnown(fingerprints: readonly string[]): Sql {
  return sql`INSERT INTO workspace.failure_fingerprint (fingerprint, failure_id)
    SELECT DISTINCT fingerprint, fingerprint FROM ${textList(fingerprints)} AS list (fingerprint)
    ON CONFLICT DO NOTHING`
}

/** Releases are stored as compact pairs, because there may be thousands. */
const releases = Type.Array(Type.Tuple([Type.String(), Type.Union([Type.String(), Type.Null()])]))

export function writeReleases(list: readonly ServiceRelease[]): string {
  return JSON.stringify(list.map(({ service, release }) => [service, release]))
}

/** @throws TypeError if the row is incomplete */
function readOccurrence(row: Row, resolution: Resolution | null): ScannedOccurrence {
  return {
    failureId: text(row.failure_id),
    followed: textOrNull(row.follows),
    service: text(row.service),
    release: textOrNull(row.release),
    eventId: number(row.first_id),
    acceptedMs: acceptedMs(number(row.first_id)),
    resolution,
  }
}

/** @throws TypeError if the row has no resolution */
export function readResolution(row: Row): Resolution {
  const old: unknown = JSON.parse(text(row.old_releases))
  if (!Value.Check(releases, old))
    throw new TypeError('The store contains a resolution that this version does not support')
  return {
    atMs: number(row.resolved_ms),
    release: textOrNull(row.fixed_release),
    oldReleases: old.map(([service, release]) => ({ service, release })),
  }
}
