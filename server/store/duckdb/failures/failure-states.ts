import { writePosition } from '../../common/position.ts'
import { number, numberOrNull, text, textOrNull } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import type { FailureStates } from '../../failure-store.ts'
import type { Database } from '../engine/database.ts'
import { eventsOf } from '../sql/source.ts'
import { textList } from '../sql/text-list.ts'
import { failureId, failureIdOf } from './failure-id.ts'
import { readRecord, recordColumns, recordValues } from './failure-record.ts'
import {
  commitResult,
  isResolvedSince,
  markKnown,
  reopen,
  scanAfter,
  scanSinceResolved,
  writeReleases,
} from './failure-scan.ts'
import type { GroupingLock } from './grouping-lock.ts'
import { mergeFailures } from './merge-failures.ts'

export function createFailureStates({
  segments,
  workspace: { query, execute },
  reading,
  withGroupingLock,
}: Pick<Database, 'segments' | 'workspace' | 'reading'> & GroupingLock): FailureStates {
  const progress = async () => {
    const [row] = await query(sql`SELECT last_id FROM workspace.progress WHERE reader = 'failures'`)
    return numberOrNull(row?.last_id ?? null)
  }
  return {
    async init() {
      if ((await progress()) !== null) return
      const { lastId } = segments.active()
      const rows = await reading(undefined, source =>
        source.query(sql`SELECT DISTINCT fingerprint FROM ${eventsOf(segments.all())}
          WHERE fingerprint IS NOT NULL AND id <= ${lastId}`),
      )
      const known = rows.map(row => text(row.fingerprint))
      await execute(...commitResult({ known, returned: [], position: writePosition([lastId]) }))
    },
    async scan(limit) {
      const { lastId } = segments.active()
      const after = await progress()
      return reading(undefined, source => scanAfter(source, after ?? lastId, lastId, limit))
    },
    markKnown: fingerprints => execute(markKnown(fingerprints)),
    commit: result => execute(...commitResult(result)),
    occurrencesSinceResolved: id => reading(undefined, source => scanSinceResolved(source, id)),
    reopen: returned => execute(...reopen(returned)),
    resolve: (id, { atMs, release, oldReleases }, by = null) =>
      execute(
        markKnown([id]),
        sql`
        INSERT INTO workspace.failure_state VALUES (${failureIdOf(id)}, 'resolved', ${atMs}, ${atMs}, ${release},
          ${writeReleases(oldReleases)}, ${segments.active().lastId}, NULL, NULL, NULL, ${by})
        ON CONFLICT (failure_id) DO UPDATE SET ${replaced}`,
      ),
    replaceOldReleases: (id, resolvedMs, oldReleases) =>
      execute(sql`
        UPDATE workspace.failure_state SET old_releases = ${writeReleases(oldReleases)}
        WHERE ${isResolvedSince(id, resolvedMs)}`),
    setState: (id, state, atMs, { untilMs = null, by = null } = {}) =>
      execute(
        markKnown([id]),
        sql`
        INSERT INTO workspace.failure_state VALUES (${failureIdOf(id)}, ${state}, ${atMs}, NULL, NULL, NULL, NULL, NULL, NULL,
          ${untilMs}, ${by})
        ON CONFLICT (failure_id) DO UPDATE SET ${replaced}`,
      ),
    reopenDue: nowMs =>
      execute(sql`
        UPDATE workspace.failure_state SET state = 'open', state_ms = until_ms, until_ms = NULL, state_by = NULL
        WHERE state = 'muted' AND until_ms <= ${nowMs}`),
    async snapshotStates(ids) {
      if (ids.length === 0) return []
      const rows = await query(sql`
        SELECT failure_id, ${recordColumns}
        FROM (SELECT ${failureId} AS failure_id FROM ${textList(ids)} AS given (fingerprint)
          LEFT JOIN workspace.failure_fingerprint USING (fingerprint))
        LEFT JOIN workspace.failure_state USING (failure_id)`)
      return rows.map(row => ({
        id: text(row.failure_id),
        record: row.state === null ? null : readRecord(row),
      }))
    },
    restoreStates: snapshot =>
      execute(
        ...snapshot.map(({ id, record }) =>
          record === null
            ? sql`DELETE FROM workspace.failure_state WHERE failure_id = ${id}`
            : sql`INSERT INTO workspace.failure_state (failure_id, ${recordColumns})
                VALUES (${id}, ${recordValues(record)})
                ON CONFLICT (failure_id) DO UPDATE SET ${replaced}`,
        ),
      ),
    async isKnown(fingerprint) {
      const rows = await query(sql`FROM workspace.failure_fingerprint WHERE fingerprint = ${fingerprint}`)
      return rows.length > 0
    },
    merge: (id, into) =>
      mergeFailures({ query, execute, withGroupingLock }, id, into, (from, to) => [
        sql`
          INSERT INTO workspace.failure_state SELECT * REPLACE (${to} AS failure_id) FROM workspace.failure_state
          WHERE failure_id = ${from} ON CONFLICT DO NOTHING`,
        sql`DELETE FROM workspace.failure_state WHERE failure_id = ${from}`,
        sql`UPDATE workspace.failure_fingerprint SET failure_id = ${to},
            merged_from = CASE WHEN follows IS NULL THEN coalesce(merged_from,
              (SELECT merged_from FROM workspace.failure_fingerprint WHERE fingerprint = ${into})) END
          WHERE failure_id = ${from}`,
      ]),
    async notes(id) {
      const rows = await query(sql`
        SELECT id, written_ms, text, author FROM workspace.note WHERE ${isNoteOf(id)}
        ORDER BY written_ms DESC, id`)
      return rows.map(row => {
        const author = textOrNull(row.author)
        return {
          id: text(row.id),
          writtenMs: number(row.written_ms),
          text: text(row.text),
          ...(author !== null && { author }),
        }
      })
    },
    addNote: (id, { id: noteId, writtenMs, text, author }) =>
      execute(sql`
        INSERT INTO workspace.note VALUES (${noteId}, ${failureIdOf(id)}, ${writtenMs}, ${text}, ${author ?? null})`),
    removeNote: (id, noteId) =>
      execute(sql`DELETE FROM workspace.note WHERE ${isNoteOf(id)} AND id = ${noteId}`),
  }
}

/** Merging a failure does not change the failure id in its notes, so a split returns the notes to the failure. */
function isNoteOf(id: string): Sql {
  return sql`coalesce((SELECT fingerprint.failure_id FROM workspace.failure_fingerprint AS fingerprint
    WHERE fingerprint.fingerprint = note.failure_id), note.failure_id) = ${failureIdOf(id)}`
}

/** Replaces all columns of an existing row. */
const replaced: Sql = sql`state = excluded.state, state_ms = excluded.state_ms, resolved_ms = excluded.resolved_ms,
  fixed_release = excluded.fixed_release, old_releases = excluded.old_releases, after_id = excluded.after_id,
  returned_release = excluded.returned_release, returned_ms = excluded.returned_ms,
  until_ms = excluded.until_ms, state_by = excluded.state_by`
