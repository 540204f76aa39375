import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { LogEvent } from '../../../shared/event.ts'
import type { Window } from '../../../shared/range.ts'
import { StoreUnavailableError } from '../store.ts'
import { literal } from './instance.ts'
import { migrate } from './migrations.ts'
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
    const segment = await attach(connection, join(folder, file)).catch(error => {
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
      for (const { name } of list) {
        await connection.run(`CHECKPOINT ${name}`)
        await connection.run(`DETACH ${name}`)
      }
    },
  }
}

/**
 * Bytes on disk of a segment and its log. Only ever asks the file system: opening and closing the file in
 * this process would let go of the engine's lock on it (fcntl(2), "Advisory record locking").
 */
export async function diskBytes({ path }: Segment): Promise<number> {
  const sizes = await Promise.all(
    filesOf(path).map(file =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function create(connection: DuckDBConnection, folder: string, afterId: number): Promise<Segment> {
  const path = join(folder, `events-${String(afterId).padStart(16, '0')}.duckdb`)
  try {
    return await attach(connection, path)
  } catch (error) {
    await removeFiles(path)
    throw error
  }
}

async function attach(connection: DuckDBConnection, path: string): Promise<Segment> {
  const afterId = Number(filePattern.exec(basename(path))?.[1])
  const name = `events_${afterId}`
  const attachment = `ATTACH ${literal(path)} AS ${name}`
  await connection.run(attachment).catch(async error => {
    if (!(await isUnfinished(path, error))) throw error
    await removeFiles(path)
    await connection.run(attachment)
  })
  await migrate(connection, name)
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

/**
 * A file without its three headers of 4 KiB was being made when the process was killed: it never held an event.
 * Whoever makes a file holds its lock already, so that one is not taken for it.
 */
async function isUnfinished(path: string, error: unknown): Promise<boolean> {
  const isLocked = error instanceof Error && /lock/i.test(error.message)
  const { size } = await stat(path).catch(() => ({ size: Number.POSITIVE_INFINITY }))
  return !isLocked && size < 3 * 4096
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

function filesOf(path: string): string[] {
  return [path, `${path}.wal`]
}

async function removeFiles(path: string): Promise<void> {
  for (const file of filesOf(path)) await rm(file, { force: true })
}
