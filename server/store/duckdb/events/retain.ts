import type { DuckDBConnection } from '@duckdb/node-api'
import { hourMs } from '../../../../shared/duration-units.ts'
import type { RetentionLimits } from '../../../../shared/retention-limits.ts'
import { number } from '../../common/rows.ts'
import { name, sql } from '../../common/sql.ts'
import { idAt, microsOf } from '../../common/time.ts'
import { diskBytes } from '../engine/attach.ts'
import type { Segment, Segments } from '../engine/segments.ts'
import { deleteSummaries } from '../engine/stored-summaries.ts'
import type { Source } from '../sql/source.ts'

/** How long idempotency keys are stored. Clients do not retry requests for longer. */
const requestAgeMs = 86_400_000

/**
 * The maximum segment size, as a share of the retention size limit. Retention by size deletes whole segments, so they must
 * be small.
 */
const segmentShare = 1 / 8

/**
 * Individual events are deleted in steps of an hour, or of this share of the retention period if that is shorter, because
 * each deletion from a segment invalidates all summaries and caches of the segment.
 */
const maxStepMs = hourMs
const maxStepShare = 1 / 24

/**
 * Excludes sealed segments from new queries: those whose events are all too old, and then the oldest ones until the size is
 * within the limit. An event's age is measured from its time or its acceptance, whichever is earlier, so that events with a
 * future time expire too.
 * @returns the segments to delete once no query reads them
 */
export async function retireSegments(
  segments: Segments,
  limits: RetentionLimits,
  nowMs: number,
): Promise<Segment[]> {
  const active = segments.active()
  const { expired, surplus } = await plan(segments.all(), limits, nowMs)
  const retired = [...expired, ...surplus].filter(segment => segment !== active)
  segments.retire(retired)
  return retired
}

/**
 * Deletes old events from segments that also contain newer ones. Seals the active segment if it is full or its events are
 * all too old, so that `retireSegments` can retire it.
 * @returns the number of deleted events
 */
export async function deleteRows(
  connection: DuckDBConnection,
  segments: Segments,
  limits: RetentionLimits,
  nowMs: number,
): Promise<number> {
  const { expired, partlyExpired, oldest } = pastAge(segments.all(), limits, nowMs)
  const active = segments.active()
  if (expired.includes(active) || isFull(await diskBytes(active), limits)) await segments.rotate()

  let deleted = 0
  for (const segment of partlyExpired) {
    const before = segment.events
    await deleteSummaries(connection, segment)
    await connection.run(`DELETE FROM ${segment.name}.event WHERE time_us < $1 OR id < $2`, [
      oldest.us,
      oldest.id,
    ])
    await segments.reloadBounds(segment)
    deleted += before - segment.events
  }

  for (const { name } of segments.all()) {
    await connection.run(`DELETE FROM ${name}.request WHERE accepted_ms < $1`, [
      Math.floor(nowMs - requestAgeMs),
    ])
  }
  return deleted
}

/** How many events retention would delete. */
export async function countExpired(
  { segments, query }: Pick<Source, 'segments' | 'query'>,
  limits: RetentionLimits,
  nowMs: number,
): Promise<number> {
  const { expired, partlyExpired, oldest, surplus } = await plan(segments.all(), limits, nowMs)

  let dropped = [...expired, ...surplus].reduce((sum, segment) => sum + segment.events, 0)
  for (const segment of partlyExpired.filter(each => !surplus.includes(each))) {
    const [row] = await query(sql`SELECT count(*) AS count FROM ${name(segment.name)}.event
      WHERE time_us < ${oldest.us} OR id < ${oldest.id}`)
    dropped += number(row?.count)
  }
  return dropped
}

/** What to delete. The last segment is the active one. */
async function plan(segments: readonly Segment[], limits: RetentionLimits, nowMs: number) {
  const { expired, ...past } = pastAge(segments, limits, nowMs)
  const left = segments.filter(segment => !expired.includes(segment))
  const active = segments.at(-1)
  // A full active segment is sealed first, and may then be deleted.
  const protectedSegment = active !== undefined && !isFull(await diskBytes(active), limits) ? active : null
  const surplus = await oversized(left, protectedSegment, limits)
  return { expired, ...past, surplus }
}

type Oldest = Readonly<{ us: number; id: number }>

/** Returns bounds: events with an earlier time or a lower id are older than `timeMs`. */
function oldestSince(timeMs: number): Oldest {
  return { us: microsOf(timeMs), id: idAt(timeMs) }
}

function isOlder({ us, id }: Oldest, oldest: Oldest): boolean {
  return us < oldest.us || id < oldest.id
}

function isFull(bytes: number, { maxBytes }: RetentionLimits): boolean {
  return bytes > maxBytes * segmentShare
}

/**
 * @returns `expired`: segments whose events are all too old, and sealed segments without events. `partlyExpired`: segments
 * with old and newer events. `oldest`: the earliest time and the lowest id of the events to keep
 */
function pastAge(segments: readonly Segment[], { maxAgeMs }: RetentionLimits, nowMs: number) {
  const used = segments.filter(segment => segment.events > 0 || segment !== segments.at(-1))
  const expired = used.filter(({ toUs, lastId }) =>
    isOlder({ us: toUs, id: lastId }, oldestSince(nowMs - maxAgeMs)),
  )
  const stepMs = Math.min(maxStepMs, maxAgeMs * maxStepShare)
  const oldest = oldestSince(Math.floor((nowMs - maxAgeMs) / stepMs) * stepMs)
  const partlyExpired = used.filter(
    segment => !expired.includes(segment) && isOlder({ us: segment.fromUs, id: segment.firstId }, oldest),
  )
  return { expired, partlyExpired, oldest }
}

/** Returns the oldest segments, as many as must be deleted to meet the size limit. Stops before `protectedSegment`. */
async function oversized(
  segments: readonly Segment[],
  protectedSegment: Segment | null,
  limits: RetentionLimits,
): Promise<Segment[]> {
  const surplus: Segment[] = []
  const sizes = await Promise.all(segments.map(diskBytes))
  let bytes = sizes.reduce((sum, size) => sum + size, 0)
  for (const [index, segment] of segments.entries()) {
    if (bytes <= limits.maxBytes || segment === protectedSegment) break
    bytes -= sizes[index] ?? 0
    surplus.push(segment)
  }
  return surplus
}
