import { DuckDBBlobValue, type DuckDBConnection } from '@duckdb/node-api'
import { name, type Sql, sql } from '../../common/sql.ts'
import type { ReadResult } from './connections.ts'
import type { Segment } from './segments.ts'
import { inTransaction, runStatement } from './transaction.ts'

// Sealed segments contain summaries of their events, so that the first dashboard after a start does not read all events.
// docs/decisions/0034-summaries.md contains the measurements.

/** `requests`: see `packRequests`. `event_counts`: see `packCounts`. The bytes are empty if a summary would be too large. */
export type SummaryKind = 'requests' | 'event_counts'

/** Returns `undefined` if the segment has no such summary, or if the summary was deleted while it was being read. */
export async function readStoredSummary(
  readResult: ReadResult,
  segment: Segment,
  kind: SummaryKind,
): Promise<Uint8Array | undefined> {
  if (!segment.hasSummaries) return undefined
  const result = await readResult(sql`SELECT content FROM ${tableOf(segment)} WHERE kind = ${kind}`)
  if (!segment.hasSummaries || result.rowCount === 0) return undefined
  const content = result.value(0, 0)
  if (!(content instanceof DuckDBBlobValue)) throw new TypeError('Expected bytes from the engine')
  return content.bytes.length === 0 ? undefined : content.bytes
}

/** The rows of `service_summary` for all events of a segment that has summaries. The rows do not depend on fingerprints. */
export function storedServiceSummary(segment: Segment): Sql {
  return sql`${name(segment.name)}.service_summary`
}

/**
 * Replaces the summaries of a segment. The caller holds the lock.
 * @param services a table with rows of `service_summary`
 */
export async function storeSummaries(
  connection: DuckDBConnection,
  segment: Segment,
  summaries: Readonly<Record<SummaryKind, Uint8Array>>,
  services: Sql,
): Promise<void> {
  await inTransaction(connection, async () => {
    await deleteSummaries(connection, segment)
    await runStatement(connection, sql`DELETE FROM ${storedServiceSummary(segment)}`)
    await runStatement(connection, sql`INSERT INTO ${storedServiceSummary(segment)} FROM ${services}`)
    for (const [kind, content] of Object.entries(summaries))
      await runStatement(
        connection,
        sql`INSERT INTO ${tableOf(segment)} VALUES (${kind}, ${segment.events}, ${content})`,
      )
  })
  segment.hasSummaries = true
}

/**
 * Runs a change that preserves the number of events, and deletes the segment's summaries if any event has changed.
 * @param change returns the number of changed events
 */
export async function changeSummarised(
  connection: DuckDBConnection,
  segment: Segment,
  change: () => Promise<number>,
): Promise<number> {
  // Does not check `hasSummaries`: after a failed commit, it is false although the file still contains the summaries.
  return inTransaction(connection, async () => {
    const changed = await change()
    if (changed > 0) await deleteSummaries(connection, segment)
    return changed
  })
}

/**
 * Deletes the summaries of a segment. Must be called when its events are changed or deleted, but not when events are
 * appended, because summaries of fewer events than the segment contains are ignored.
 */
export async function deleteSummaries(connection: DuckDBConnection, segment: Segment): Promise<void> {
  segment.hasSummaries = false
  await runStatement(connection, sql`DELETE FROM ${tableOf(segment)}`)
}

function tableOf(segment: Segment): Sql {
  return sql`${name(segment.name)}.summary`
}
