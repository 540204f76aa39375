import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { LogEvent } from '../../../shared/event.ts'
import type { Window } from '../../../shared/range.ts'
import { StoreUnavailableError } from '../store.ts'
import { attach, detach, removeFiles } from './attach.ts'
import { migrations } from './migrations.ts'
import { microsOf } from './time.ts'

/** One file of events, attached under `name`. Ids of one segment are all above those of the one before it. */
export type Segment = {
  readonly name: string
  readonly path: string
  events: number
  /** Of the oldest and the newest event by time; `Infinity` and `-Infinity` while there is none. */
  fromUs: number
  toUs: number
  firstId: number
  lastId: number
}

export type Segments = {
  /** Oldest first, by acceptance; the last one takes the appends. */
  all(): readonly Segment[]
  /** Those that may hold an event of the window; at least one, so that there is a table to ask. */
  overlapping(window: Window): Segment[]
  active(): Segment
  /** Takes note of events that were committed to the active segment. */
  note(events: readonly LogEvent[]): void
  /** Reads again what a segment holds. */
  refresh(segment: Segment): Promise<void>
  /** Begins a new segment, if the active one holds anything. */
  rotate(): Promise<void>
  /** Takes segments out of what questions are asked of. Their files stay until `remove`. */
  retire(segments: readonly Segment[]): void
  /** Lets go of retired segments, which no question may be reading any more, and gives their disk back. */
  remove(segments: readonly Segment[]): Promise<void>
  /** Folds each log into its segment, so that the next opening has none to read, and lets go of the files. */
  detach(): Promise<void>
}

/** Files are named after the highest id before them, so that ids go on growing when all events are gone. */
const filePattern = /^events-(\d{16})\.duckdb$/

/** Attaches the segments of a folder, brings them to the newest layout, and makes the first where there is none. */
export async function openSegments(connection: DuckDBConnection, folder: string): Promise<Segments> {
  const files = (await readdir(folder)).filter(file => filePattern.test(file)).sort()
  let list: readonly Segment[] = []
  for (const file of files) {
    const segment = await attachSegment(connection, join(folder, file)).catch(error => {
      throw error instanceof StoreUnavailableError
        ? error
        : new Error(`${file}: ${error.message}`, { cause: error })
    })
    list = [...list, segment]
  }
  if (list.length === 0) list = [await create(connection, folder, 0)]

  const active = () => {
    const last = list.at(-1)
    if (last === undefined) throw new RangeError('A store has at least one segment')
    return last
  }
  return {
    all: () => list,
    active,
    overlapping({ fromMs, toMs }) {
      const found = list.filter(
        segment => segment.fromUs < microsOf(toMs) && segment.toUs >= microsOf(fromMs),
      )
      return found.length > 0 ? found : [active()]
    },
    note(events) {
      const segment = active()
      for (const { id, timeMs } of events) {
        const timeUs = microsOf(timeMs)
        segment.fromUs = Math.min(segment.fromUs, timeUs)
        segment.toUs = Math.max(segment.toUs, timeUs)
        segment.lastId = id
      }
      if (segment.events === 0) segment.firstId = events[0]?.id ?? segment.firstId
      segment.events += events.length
    },
    refresh: segment => readBounds(connection, segment),
    async rotate() {
      const full = active()
      if (full.events === 0) return
      list = [...list, await create(connection, folder, full.lastId)]
      await connection.run(`CHECKPOINT ${full.name}`)
    },
    retire(segments) {
      list = list.filter(segment => !segments.includes(segment))
    },
    async remove(segments) {
      for (const { name, path } of segments) {
        await connection.run(`DETACH ${name}`)
        await removeFiles(path)
      }
    },
    async detach() {
      for (const { name } of list) await detach(connection, name)
    },
  }
}

async function create(connection: DuckDBConnection, folder: string, afterId: number): Promise<Segment> {
  const path = join(folder, `events-${String(afterId).padStart(16, '0')}.duckdb`)
  try {
    return await attachSegment(connection, path)
  } catch (error) {
    await removeFiles(path)
    throw error
  }
}

async function attachSegment(connection: DuckDBConnection, path: string): Promise<Segment> {
  const afterId = Number(filePattern.exec(basename(path))?.[1])
  const name = `events_${afterId}`
  await attach(connection, path, name, migrations)
  const segment = {
    name,
    path,
    events: 0,
    fromUs: Number.POSITIVE_INFINITY,
    toUs: Number.NEGATIVE_INFINITY,
    firstId: afterId,
    lastId: afterId,
  }
  await readBounds(connection, segment)
  return segment
}

async function readBounds(connection: DuckDBConnection, segment: Segment): Promise<void> {
  const reader = await connection.runAndReadAll(
    `SELECT count(*), min(time_us), max(time_us), min(id), max(id) FROM ${segment.name}.event`,
  )
  const [events, fromUs, toUs, firstId, lastId] = reader.getRows()[0] ?? []
  segment.events = Number(events)
  if (segment.events > 0) {
    segment.fromUs = Number(fromUs)
    segment.toUs = Number(toUs)
    segment.firstId = Number(firstId)
    // Never back: ids go on growing when the newest events were dropped.
    segment.lastId = Math.max(segment.lastId, Number(lastId))
  } else {
    segment.fromUs = Number.POSITIVE_INFINITY
    segment.toUs = Number.NEGATIVE_INFINITY
  }
}
