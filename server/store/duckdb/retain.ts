import type { DuckDBConnection } from '@duckdb/node-api'
import { diskBytes } from './attach.ts'
import type { Segment, Segments } from './segments.ts'
import { idAt, microsOf } from './time.ts'

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
  const oldestUs = microsOf(nowMs - limits.maxAgeMs)
  const oldestId = idAt(nowMs - limits.maxAgeMs)
  if ((await diskBytes(segments.active())) > limits.maxBytes * segmentShare) await segments.rotate()

  const expired = segments.all().filter(s => s.events > 0 && (s.toUs < oldestUs || s.lastId < oldestId))
  if (expired.includes(segments.active())) await segments.rotate()
  segments.retire(expired)

  let deleted = 0
  for (const segment of segments.all()) {
    if (segment.events === 0 || (segment.fromUs >= oldestUs && segment.firstId >= oldestId)) continue
    const before = segment.events
    await connection.run(`DELETE FROM ${segment.name}.event WHERE time_us < $1 OR id < $2`, [
      oldestUs,
      oldestId,
    ])
    await segments.refresh(segment)
    deleted += before - segment.events
  }

  for (const { name } of segments.all()) {
    await connection.run(`DELETE FROM ${name}.request WHERE accepted_ms < $1`, [
      Math.floor(nowMs - requestAgeMs),
    ])
  }

  const surplus: Segment[] = []
  const sizes = await Promise.all(segments.all().map(diskBytes))
  let bytes = sizes.reduce((sum, size) => sum + size, 0)
  for (const [index, segment] of segments.all().slice(0, -1).entries()) {
    if (bytes <= limits.maxBytes) break
    bytes -= sizes[index] ?? 0
    surplus.push(segment)
  }
  segments.retire(surplus)

  const retired = [...expired, ...surplus]
  return { retired, dropped: retired.reduce((sum, segment) => sum + segment.events, deleted) }
}
