import type { FailureStates } from '../../failure-store.ts'
import type { Database } from '../engine/database.ts'
import { number, numberOrNull, text } from '../sql/rows.ts'
import { eventsOf } from '../sql/source.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { commitResult, markKnown, scanAfter, writeReleases } from './failure-scan.ts'

export function createFailureStates({
  segments,
  workspace: { ask, change },
  reading,
}: Pick<Database, 'segments' | 'workspace' | 'reading'>): FailureStates {
  const progress = async () => {
    const [row] = await ask(sql`SELECT last_id FROM workspace.progress WHERE reader = 'failures'`)
    return numberOrNull(row?.last_id ?? null)
  }

  return {
    async init() {
      if ((await progress()) !== null) return
      const { lastId } = segments.active()
      const rows = await reading(undefined, source =>
        source.ask(sql`SELECT DISTINCT fingerprint FROM ${eventsOf(segments.all())}
          WHERE fingerprint IS NOT NULL AND id <= ${lastId}`),
      )
      const known = rows.map(row => text(row.fingerprint))
      await change(...commitResult({ known, returned: [], lastId }))
    },
    async scan(limit) {
      const { lastId } = segments.active()
      const after = await progress()
      return reading(undefined, source => scanAfter(source, after ?? lastId, lastId, limit))
    },
    markKnown: fingerprints => change(markKnown(fingerprints)),
    commit: result => change(...commitResult(result)),
    resolve: (fingerprint, { atMs, release, oldReleases }) =>
      change(sql`
        INSERT INTO workspace.failure VALUES (${fingerprint}, 'resolved', ${atMs}, ${atMs}, ${release},
          ${writeReleases(oldReleases)}, ${segments.active().lastId}, NULL, NULL)
        ON CONFLICT (fingerprint) DO UPDATE SET ${replaced}`),
    setState: (fingerprint, state, atMs) =>
      change(sql`
        INSERT INTO workspace.failure VALUES (${fingerprint}, ${state}, ${atMs}, NULL, NULL, NULL, NULL, NULL, NULL)
        ON CONFLICT (fingerprint) DO UPDATE SET ${replaced}`),
    move: (from, to) =>
      change(
        sql`
          INSERT INTO workspace.failure SELECT * REPLACE (${to} AS fingerprint) FROM workspace.failure
          WHERE fingerprint = ${from}
          ON CONFLICT (fingerprint) DO UPDATE SET ${replaced} WHERE failure.state_ms IS NULL`,
        sql`UPDATE workspace.note SET fingerprint = ${to} WHERE fingerprint = ${from}`,
        sql`DELETE FROM workspace.failure_move WHERE fingerprint = ${to}`,
        sql`UPDATE workspace.failure_move SET moved_to = ${to} WHERE moved_to = ${from}`,
        sql`
          INSERT INTO workspace.failure_move VALUES (${from}, ${to})
          ON CONFLICT (fingerprint) DO UPDATE SET moved_to = excluded.moved_to`,
      ),
    async movedTo(fingerprint) {
      const [row] = await ask(
        sql`SELECT moved_to FROM workspace.failure_move WHERE fingerprint = ${fingerprint}`,
      )
      return row === undefined ? null : text(row.moved_to)
    },
    async notes(fingerprint) {
      const rows = await ask(sql`
        SELECT id, written_ms, text FROM workspace.note WHERE fingerprint = ${fingerprint}
        ORDER BY written_ms DESC, id`)
      return rows.map(row => ({
        id: text(row.id),
        writtenMs: number(row.written_ms),
        text: text(row.text),
      }))
    },
    addNote: (fingerprint, { id, writtenMs, text }) =>
      change(sql`INSERT INTO workspace.note VALUES (${id}, ${fingerprint}, ${writtenMs}, ${text})`),
    removeNote: (fingerprint, id) =>
      change(sql`DELETE FROM workspace.note WHERE fingerprint = ${fingerprint} AND id = ${id}`),
  }
}

/** Replaces all columns of an existing row. */
const replaced: Sql = sql`state = excluded.state, state_ms = excluded.state_ms, resolved_ms = excluded.resolved_ms,
  fixed_release = excluded.fixed_release, old_releases = excluded.old_releases, after_id = excluded.after_id,
  returned_release = excluded.returned_release, returned_ms = excluded.returned_ms`
