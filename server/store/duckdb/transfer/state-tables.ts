import type { Static } from 'typebox'
import { lowestId, writePosition } from '../../common/position.ts'
import { number, type Row, text, textOrNull } from '../../common/rows.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import type { collections } from '../../state/collections.ts'
import type { SharedState } from '../../transfer-store.ts'
import { readRecord, recordColumns, recordValues } from '../failures/failure-record.ts'
import { readFrames, writeFrames } from '../failures/signature-rows.ts'
import { textList } from '../sql/text-list.ts'
import { readAuditEntry } from '../workspace/audit-tables.ts'
import { readSavedSearch } from '../workspace/saved-search-tables.ts'
import { readSetting } from '../workspace/setting-tables.ts'
import { readToken } from '../workspace/token-tables.ts'
import { isKnown, readDelivery, readWebhook } from '../workspace/webhook-tables.ts'

export type ValueIn<Name extends keyof SharedState> = Static<(typeof collections)[Name]>

type Entry<Value> = readonly [key: string, value: Value]

/** How a collection of the state is stored. */
export type StateTable<Value> = {
  /** The query for all rows, in the order in which they were stored. */
  rows: Sql
  read(row: Row): Entry<Value>
  put(entries: readonly Entry<Value>[]): Sql
  remove(keys: readonly string[]): Sql
}

type StateTables = { [Name in keyof SharedState]: StateTable<ValueIn<Name>> }

/** The workspace table of each collection. */
export const tables: StateTables = {
  failureIds: {
    rows: sql`SELECT fingerprint, failure_id FROM workspace.failure_fingerprint ORDER BY rowid`,
    read: row => [text(row.fingerprint), text(row.failure_id)],
    put: entries => sql`
      INSERT INTO workspace.failure_fingerprint (fingerprint, failure_id)
      VALUES ${rowsOf(entries, ([fingerprint, id]) => sql`${fingerprint}, ${id}`)}
      ON CONFLICT (fingerprint) DO UPDATE SET failure_id = excluded.failure_id`,
    remove: keys => sql`DELETE FROM workspace.failure_fingerprint WHERE fingerprint IN ${textList(keys)}`,
  },
  mergedFrom: {
    rows: sql`SELECT fingerprint, merged_from FROM workspace.failure_fingerprint
      WHERE merged_from IS NOT NULL ORDER BY rowid`,
    read: row => [text(row.fingerprint), text(row.merged_from)],
    put: entries => sql`
      UPDATE workspace.failure_fingerprint SET merged_from = merge.source
      FROM (VALUES ${rowsOf(entries, ([fingerprint, id]) => sql`${fingerprint}, ${id}`)}) AS merge (merged, source)
      WHERE fingerprint = merge.merged`,
    remove: keys => sql`UPDATE workspace.failure_fingerprint SET merged_from = NULL
      WHERE fingerprint IN ${textList(keys)}`,
  },
  follows: {
    rows: sql`SELECT fingerprint, follows FROM workspace.failure_fingerprint
      WHERE follows IS NOT NULL ORDER BY rowid`,
    read: row => [text(row.fingerprint), text(row.follows)],
    put: entries => sql`
      UPDATE workspace.failure_fingerprint SET follows = pair.followed
      FROM (VALUES ${rowsOf(entries, ([fingerprint, followed]) => sql`${fingerprint}, ${followed}`)})
        AS pair (following, followed)
      WHERE fingerprint = pair.following`,
    remove: keys => sql`UPDATE workspace.failure_fingerprint SET follows = NULL
      WHERE fingerprint IN ${textList(keys)}`,
  },
  failures: {
    rows: sql`SELECT failure_id, ${recordColumns} FROM workspace.failure_state ORDER BY rowid`,
    read: row => [text(row.failure_id), readRecord(row)],
    put: entries => sql`
      INSERT OR REPLACE INTO workspace.failure_state (failure_id, ${recordColumns})
      VALUES ${rowsOf(entries, ([id, record]) => sql`${id}, ${recordValues(record)}`)}`,
    remove: keys => sql`DELETE FROM workspace.failure_state WHERE failure_id IN ${textList(keys)}`,
  },
  signatures: {
    rows: sql`FROM workspace.failure_signature ORDER BY rowid`,
    read: row => [
      text(row.fingerprint),
      {
        fingerprint: text(row.fingerprint),
        service: text(row.service),
        release: textOrNull(row.release),
        subject: text(row.subject),
        frames: readFrames(text(row.frames)),
        seenMs: number(row.seen_ms),
        replaces: textOrNull(row.replaces),
      },
    ],
    put: entries => sql`
      INSERT OR REPLACE INTO workspace.failure_signature
        (fingerprint, service, release, subject, frames, seen_ms, replaces)
      VALUES ${rowsOf(
        entries,
        ([, { fingerprint, service, release, subject, frames, seenMs, replaces }]) =>
          sql`${fingerprint}, ${service}, ${release}, ${subject}, ${writeFrames(frames)}, ${seenMs}, ${replaces}`,
      )}`,
    remove: keys => sql`DELETE FROM workspace.failure_signature WHERE fingerprint IN ${textList(keys)}`,
  },
  splits: {
    rows: sql`FROM workspace.failure_split ORDER BY rowid`,
    read: row => [`${text(row.fingerprint)} ${text(row.other)}`, [text(row.fingerprint), text(row.other)]],
    put: entries => sql`
      INSERT INTO workspace.failure_split (fingerprint, other)
      VALUES ${rowsOf(entries, ([, [fingerprint, other]]) => sql`${fingerprint}, ${other}`)} ON CONFLICT DO NOTHING`,
    remove: keys => sql`DELETE FROM workspace.failure_split
      WHERE concat(fingerprint, ' ', other) IN ${textList(keys)}`,
  },
  notes: {
    rows: sql`FROM workspace.note ORDER BY rowid`,
    read(row) {
      const author = textOrNull(row.author)
      return [
        text(row.id),
        {
          id: text(row.id),
          failureId: text(row.failure_id),
          writtenMs: number(row.written_ms),
          text: text(row.text),
          ...(author !== null && { author }),
        },
      ]
    },
    put: entries => sql`
      INSERT OR REPLACE INTO workspace.note (id, failure_id, written_ms, text, author)
      VALUES ${rowsOf(
        entries,
        ([, { id, failureId, writtenMs, text, author }]) =>
          sql`${id}, ${failureId}, ${writtenMs}, ${text}, ${author ?? null}`,
      )}`,
    remove: keys => sql`DELETE FROM workspace.note WHERE id IN ${textList(keys)}`,
  },
  progress: {
    rows: sql`FROM workspace.progress ORDER BY rowid`,
    read: row => [text(row.reader), writePosition([number(row.last_id)])],
    put: entries => sql`
      INSERT OR REPLACE INTO workspace.progress (reader, last_id)
      VALUES ${rowsOf(entries, ([reader, position]) => sql`${reader}, ${lowestId(position)}`)}`,
    remove: keys => sql`DELETE FROM workspace.progress WHERE reader IN ${textList(keys)}`,
  },
  savedSearches: {
    rows: sql`FROM workspace.saved_search ORDER BY rowid`,
    read: row => [text(row.id), readSavedSearch(row)],
    put: entries => sql`
      INSERT OR REPLACE INTO workspace.saved_search (id, name, view, created_ms)
      VALUES ${rowsOf(entries, ([, { id, name, view, createdMs }]) => sql`${id}, ${name}, ${view}, ${createdMs}`)}`,
    remove: keys => sql`DELETE FROM workspace.saved_search WHERE id IN ${textList(keys)}`,
  },
  webhooks: {
    rows: sql`FROM workspace.webhook ORDER BY rowid`,
    read: row => [text(row.id), readWebhook(row)],
    put: entries => sql`
      INSERT OR REPLACE INTO workspace.webhook (id, name, url, secret, conditions, created_ms)
      VALUES ${rowsOf(
        entries,
        ([, { id, name, url, secret, conditions, createdMs }]) =>
          sql`${id}, ${name}, ${url}, ${secret}, ${JSON.stringify(conditions)}, ${createdMs}`,
      )}`,
    remove: keys => sql`DELETE FROM workspace.webhook WHERE id IN ${textList(keys)}`,
  },
  deliveries: {
    rows: sql`FROM workspace.delivery WHERE ${isKnown} ORDER BY rowid`,
    read: row => [text(row.id), readDelivery(row)],
    put: entries => sql`
      INSERT OR REPLACE INTO workspace.delivery
        (id, webhook_id, kind, subject, body, created_ms, attempts, next_ms, status, problem, ended_ms)
      VALUES ${rowsOf(
        entries,
        ([, each]) =>
          sql`${each.id}, ${each.webhookId}, ${each.kind}, ${each.subject}, ${each.body}, ${each.createdMs},
            ${each.attempts}, ${each.nextMs}, ${each.status}, ${each.problem}, ${each.endedMs}`,
      )}`,
    remove: keys => sql`DELETE FROM workspace.delivery WHERE id IN ${textList(keys)}`,
  },
  tokens: {
    rows: sql`FROM workspace.token ORDER BY rowid`,
    read(row) {
      const { scopes, services, ...token } = readToken(row)
      return [token.id, { ...token, scopes: [...scopes], services: services && [...services] }]
    },
    put: entries => sql`
      INSERT OR REPLACE INTO workspace.token
        (id, name, hash, created_ms, scopes, services, expires_ms, used_ms)
      VALUES ${rowsOf(
        entries,
        ([, { id, name, hash, createdMs, scopes, services, expiresMs, usedMs }]) =>
          sql`${id}, ${name}, ${hash}, ${createdMs}, ${JSON.stringify(scopes)},
            ${services && JSON.stringify(services)}, ${expiresMs}, ${usedMs}`,
      )}`,
    remove: keys => sql`DELETE FROM workspace.token WHERE id IN ${textList(keys)}`,
  },
  endedSessions: {
    rows: sql`FROM workspace.ended_session ORDER BY rowid`,
    read: row => [text(row.id), number(row.until_ms)],
    put: entries => sql`
      INSERT OR REPLACE INTO workspace.ended_session (id, until_ms)
      VALUES ${rowsOf(entries, ([id, untilMs]) => sql`${id}, ${untilMs}`)}`,
    remove: keys => sql`DELETE FROM workspace.ended_session WHERE id IN ${textList(keys)}`,
  },
  audit: {
    rows: sql`FROM workspace.audit ORDER BY rowid`,
    read: row => [text(row.id), readAuditEntry(row)],
    put: entries => sql`
      INSERT OR REPLACE INTO workspace.audit (id, at_ms, user_name, action, details)
      VALUES ${rowsOf(
        entries,
        ([, { id, atMs, user, action, details }]) => sql`${id}, ${atMs}, ${user}, ${action}, ${details}`,
      )}`,
    remove: keys => sql`DELETE FROM workspace.audit WHERE id IN ${textList(keys)}`,
  },
  settings: {
    rows: sql`FROM workspace.setting ORDER BY rowid`,
    read: row => [text(row.name), readSetting(row)],
    put: entries => sql`
      INSERT OR REPLACE INTO workspace.setting (name, value, changed_ms)
      VALUES ${rowsOf(entries, ([, { name, value, changedMs }]) => sql`${name}, ${value}, ${changedMs}`)}`,
    remove: keys => sql`DELETE FROM workspace.setting WHERE name IN ${textList(keys)}`,
  },
}

function rowsOf<Value>(entries: readonly Entry<Value>[], valuesOf: (entry: Entry<Value>) => Sql): Sql {
  return join(
    entries.map(entry => sql`(${valuesOf(entry)})`),
    ', ',
  )
}
