import type { DuckDBConnection } from '@duckdb/node-api'
import type { LogEvent } from '../../../../shared/event.ts'
import type { IdRange } from '../../common/accepted-hour.ts'
import { increasingIds, planImport } from '../../common/import-plan.ts'
import { number, textOrNull } from '../../common/rows.ts'
import { join, name, type Sql, sql } from '../../common/sql.ts'
import { acceptedMs } from '../../common/time.ts'
import type { ImportResult } from '../../transfer-store.ts'
import type { Commit } from '../engine/commit.ts'
import type { OpenFiles } from '../engine/open-files.ts'
import type { Recovery } from '../engine/recovery.ts'
import type { Segment } from '../engine/segments.ts'
import { deleteSummaries } from '../engine/stored-summaries.ts'
import { runStatement } from '../engine/transaction.ts'
import { statement } from '../sql/statement.ts'

/** Limited because the engine is slow at parsing statements with many values. */
const updatesPerStatement = 500

type Store = {
  files: () => OpenFiles
  commit: Commit
  recovery: Pick<Recovery, 'retry'>
  /** Whether a segment has enough events, or would cover too long a period if it contained an event accepted at `atMs`. */
  isFull(segment: Segment, atMs: number): boolean
  /** Starts a new segment if the active one is full, or too old for an event with this id. */
  rotateIfFull(firstId: number): Promise<void>
}

/** See `TransferStore`. Nothing else may write to the store during the import. */
export async function importEvents(store: Store, events: readonly LogEvent[]): Promise<ImportResult> {
  increasingIds(events)
  const { lastId } = store.files().segments.active()
  const newer = events.filter(({ id }) => id > lastId)
  const result = { stored: newer.length, regrouped: 0 }
  for (const part of byRange(
    store.files().segments.all(),
    events.filter(({ id }) => id <= lastId),
  )) {
    const { stored, regrouped } = await store.recovery.retry(() => insert(store, part))
    result.stored += stored
    result.regrouped += regrouped
  }
  const [first] = newer
  if (first !== undefined) {
    await store.recovery.retry(() => store.rotateIfFull(first.id))
    await store.commit(newer, [])
  }
  return result
}

/** Groups events by the id range of a segment, or by the gap between two ranges. The ranges never overlap. */
function byRange(segments: readonly Segment[], events: readonly LogEvent[]): LogEvent[][] {
  const parts = new Map<string, LogEvent[]>()
  for (const event of events) {
    const before = lastBefore(segments, event.id)
    const range = before === undefined ? '' : `${before.name} ${event.id <= before.lastId}`
    const part = parts.get(range)
    if (part === undefined) parts.set(range, [event])
    else part.push(event)
  }
  return [...parts.values()]
}

/** Returns the last segment that contains an event with this id or a lower one. */
function lastBefore(segments: readonly Segment[], id: number): Segment | undefined {
  return segments.findLast(({ events, firstId }) => events > 0 && firstId <= id)
}

/**
 * Returns the segment to which an event belongs. In a gap, starts a new segment if the one before the gap is full, because
 * retention by size deletes whole segments.
 */
async function segmentFor({ files, isFull }: Pick<Store, 'files' | 'isFull'>, id: number): Promise<Segment> {
  const { segments } = files()
  const before = lastBefore(segments.all(), id)
  if (before !== undefined && id <= before.lastId) return before
  const nearest = before ?? segments.all()[0]
  return nearest === undefined || isFull(nearest, acceptedMs(id)) ? segments.insert(id - 1) : nearest
}

/** Inserts or updates events from the same range (see `byRange`) in a segment that may contain newer events. */
async function insert(
  store: Pick<Store, 'files' | 'isFull'>,
  events: readonly LogEvent[],
): Promise<ImportResult> {
  const ids = increasingIds(events)
  const segment = await segmentFor(store, ids.afterId + 1)
  const { segments, writer, write, searchFilters, recentEvents } = store.files()
  const fingerprints = await fingerprintsIn(writer, segment, ids)
  const { missing, regrouped } = planImport(events, fingerprints)
  const [first] = missing
  if (first === undefined && regrouped.length === 0) return { stored: 0, regrouped: 0 }
  try {
    await deleteSummaries(writer, segment)
    for (let start = 0; start < regrouped.length; start += updatesPerStatement) {
      await runStatement(
        writer,
        changeFingerprints(segment, regrouped.slice(start, start + updatesPerStatement)),
      )
    }
    if (first !== undefined) {
      // Existing filters for these ids would hide the new events. The server rebuilds the filters later.
      await runStatement(
        writer,
        sql`DELETE FROM ${name(segment.name)}.search_filter WHERE last_id >= ${first.id}`,
      )
      searchFilters.refresh(segment.name)
      await write(writer, segment.name, missing, [])
    }
  } finally {
    recentEvents.forget()
    await segments.reloadBounds(segment)
  }
  return { stored: missing.length, regrouped: regrouped.length }
}

async function fingerprintsIn(
  connection: DuckDBConnection,
  segment: Segment,
  { afterId, upToId }: IdRange,
): Promise<Map<number, string | null>> {
  const { text, values, types } = statement(sql`
    SELECT id, fingerprint FROM ${name(segment.name)}.event WHERE id > ${afterId} AND id <= ${upToId}`)
  const reader = await connection.runAndReadAll(text, values, types)
  return new Map(reader.getRows().map(([id, fingerprint]) => [number(id), textOrNull(fingerprint)]))
}

function changeFingerprints(segment: Segment, events: readonly LogEvent[]): Sql {
  const changes = events.map(({ id, fingerprint }) => sql`(${id}, ${fingerprint})`)
  return sql`
    UPDATE ${name(segment.name)}.event SET fingerprint = change.new_fingerprint
    FROM (VALUES ${join(changes, ', ')}) AS change (event_id, new_fingerprint) WHERE id = change.event_id`
}
