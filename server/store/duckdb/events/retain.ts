import type { DuckDBConnection } from '@duckdb/node-api'
import { idAt, microsOf } from '../../common/time.ts'
import { diskBytes } from '../engine/attach.ts'
import type { Segment, Segments } from '../engine/segments.ts'
import { number } from '../sql/rows.ts'
import type { Source } from '../sql/source.ts'
import { name, sql } from '../sql/sql.ts'

export type Limits = { maxAgeMs: number; maxBytes: number }

/** A client that has not repeated its request by then will not. */
const requestAgeMs = 86_400_000

/** A segment this part of the size that may be kept makes room for the next: what is dropped goes by segments. */
const segmentShare = 1 / 8

/**
 * Takes what is past its age or too much out of the store: whole segments where all of a segment is, single
 * events where a part of one is. An event is as old as its time or its acceptance says, whichever is longer ago, so that a
 * clock that ran ahead keeps nothing for ever.
 * @returns the segments to remove once no question reads them, and how many events went
 */
export async function retire(
  connection: DuckDBConnection,
  segments: Segments,
  limits: Limits,
  nowMs: number,
): Promise<{ retired: Segment[]; dropped: number }> {
  const oldest = oldestOf(limits, nowMs)
  if (isFull(await diskBytes(segments.active()), limits)) await segments.rotate()

  const { expired, partly } = pastAge(segments.all(), oldest)
  if (expired.includes(segments.active())) await segments.rotate()
  segments.retire(expired)

  let deleted = 0
  for (const segment of partly) {
    const before = segment.events
    await connection.run(`DELETE FROM ${segment.name}.event WHERE time_us < $1 OR id < $2`, [
      oldest.us,
      oldest.id,
    ])
    await segments.refresh(segment)
    deleted += before - segment.events
  }

  for (const { name } of segments.all()) {
    await connection.run(`DELETE FROM ${name}.request WHERE accepted_ms < $1`, [
      Math.floor(nowMs - requestAgeMs),
    ])
  }

  const surplus = await beyondSize(segments.all(), segments.active(), limits)
  segments.retire(surplus)

  const retired = [...expired, ...surplus]
  return { retired, dropped: retired.reduce((sum, segment) => sum + segment.events, deleted) }
}

/** How many events `retire` would take out. */
export async function pastRetention(
  { segments, ask }: Pick<Source, 'segments' | 'ask'>,
  limits: Limits,
  nowMs: number,
): Promise<number> {
  const all = segments.all()
  const oldest = oldestOf(limits, nowMs)
  const { expired, partly } = pastAge(all, oldest)
  const left = all.filter(segment => !expired.includes(segment))
  const active = left.at(-1)
  // One that is full makes room for the next, and then goes as the others do.
  const staying = active !== undefined && !isFull(await diskBytes(active), limits) ? active : null
  const surplus = await beyondSize(left, staying, limits)

  let dropped = [...expired, ...surplus].reduce((sum, segment) => sum + segment.events, 0)
  for (const segment of partly.filter(each => !surplus.includes(each))) {
    const [row] = await ask(sql`SELECT count(*) AS count FROM ${name(segment.name)}.event
      WHERE time_us < ${oldest.us} OR id < ${oldest.id}`)
    dropped += number(row?.count)
  }
  return dropped
}

type Oldest = { us: number; id: number }

/** The oldest time and id that may be kept. */
function oldestOf({ maxAgeMs }: Limits, nowMs: number): Oldest {
  return { us: microsOf(nowMs - maxAgeMs), id: idAt(nowMs - maxAgeMs) }
}

function isFull(bytes: number, { maxBytes }: Limits): boolean {
  return bytes > maxBytes * segmentShare
}

/** The segments of which all events are too old, and those of which some are. */
function pastAge(segments: readonly Segment[], oldest: Oldest): { expired: Segment[]; partly: Segment[] } {
  const held = segments.filter(segment => segment.events > 0)
  const expired = held.filter(segment => segment.toUs < oldest.us || segment.lastId < oldest.id)
  const partly = held.filter(
    segment => !expired.includes(segment) && (segment.fromUs < oldest.us || segment.firstId < oldest.id),
  )
  return { expired, partly }
}

/** The oldest segments, as many as are too many; never `staying`. */
async function beyondSize(
  segments: readonly Segment[],
  staying: Segment | null,
  limits: Limits,
): Promise<Segment[]> {
  const surplus: Segment[] = []
  const sizes = await Promise.all(segments.map(diskBytes))
  let bytes = sizes.reduce((sum, size) => sum + size, 0)
  for (const [index, segment] of segments.entries()) {
    if (bytes <= limits.maxBytes || segment === staying) break
    bytes -= sizes[index] ?? 0
    surplus.push(segment)
  }
  return surplus
}
