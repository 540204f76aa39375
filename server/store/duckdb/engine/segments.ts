import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Window } from '../../../../shared/range.ts'
import { microsOf } from '../../common/time.ts'
import { StoreUnavailableError } from '../../store.ts'
import { attach, detach, type FileIdentity, ignoreFailedCheckpoint, removeFiles } from './attach.ts'
import type { Bounds } from './bounds.ts'
import { DamagedFileError } from './damaged-file.ts'
import { segmentLayout } from './segment-layout.ts'
import { isDamage } from './unavailable.ts'

/** An event file, attached as `name`. Its ids are greater than those of the previous segment. */
export type Segment = {
  readonly name: string
  readonly path: string
  readonly identity: FileIdentity
  events: number
  /** Times of the oldest and newest events; `Infinity` and `-Infinity` if there are none. */
  fromUs: number
  toUs: number
  firstId: number
  lastId: number
  /** No event with a fingerprint has a greater id. */
  lastFailureId: number
  /** Increases when events are changed, deleted or imported. */
  revision: number
  /** Whether queries may use the summaries in the file: see `stored-summaries.ts`. */
  hasSummaries: boolean
}

export type Segments = {
  /** Ordered by acceptance time, oldest first. Events are appended to the last one. */
  all(): readonly Segment[]
  /** Segments that may contain events in the window. Never empty, so that queries have a table. */
  overlapping(window: Window): Segment[]
  active(): Segment
  /** Updates the bounds of the active segment after a commit. */
  addToBounds(bounds: Bounds): void
  /** Rereads a segment's bounds from its file after events are deleted or imported. */
  reloadBounds(segment: Segment): Promise<void>
  /** Starts a new segment with ids above `afterId`, unless the active segment is empty. */
  rotate(afterId?: number): Promise<void>
  /**
   * Starts a segment for events whose ids are above `afterId` and below those of the active segment. Returns the existing
   * segment if an interrupted import has already started it.
   */
  insert(afterId: number): Promise<Segment>
  /** Excludes segments from new queries. Their files remain until `remove` is called. */
  retire(segments: readonly Segment[]): void
  /** Deletes the files of retired segments. Call this only when no query reads them. */
  remove(segments: readonly Segment[]): Promise<void>
  /** Merges each write-ahead log into its segment, so the next start does not have to replay it. Closes the files. */
  detach(): Promise<void>
}

/** New events get ids above the number in the file name, so ids keep increasing even if all events are deleted. */
const filePattern = /^events-(\d{16})\.duckdb$/

/**
 * Attaches the segments of a folder, and migrates them to the newest layout. Creates the first segment if there is none.
 * @param firstId if a segment is created, its ids are greater than this number
 * @throws DamagedFileError for a damaged segment; the other segments can be opened after it is moved aside
 */
export async function openSegments(
  connection: DuckDBConnection,
  folder: string,
  firstId: number,
): Promise<Segments> {
  let list: readonly Segment[] = []
  for (const file of await segmentFiles(folder)) {
    const segment = await attachSegment(connection, join(folder, file)).catch(error => {
      if (error instanceof StoreUnavailableError) throw error
      if (isDamage(error)) throw new DamagedFileError(join(folder, file), error)
      throw new Error(`${file}: ${error.message}`, { cause: error })
    })
    list = [...list, segment]
  }
  list = list.length === 0 ? [await create(connection, folder, firstId)] : inOrder(list)

  const active = () => {
    const last = list.at(-1)
    if (last === undefined) throw new RangeError('A store has at least one segment')
    return last
  }
  return {
    all: () => list,
    active,
    overlapping({ fromMs, toMs }) {
      const overlapping = list.filter(
        segment => segment.fromUs < microsOf(toMs) && segment.toUs >= microsOf(fromMs),
      )
      return overlapping.length > 0 ? overlapping : [active()]
    },
    addToBounds({ events, fromUs, toUs, firstId, lastId, lastFailureId }) {
      const segment = active()
      if (segment.events === 0) segment.firstId = firstId
      segment.events += events
      segment.hasSummaries = false
      segment.fromUs = Math.min(segment.fromUs, fromUs)
      segment.toUs = Math.max(segment.toUs, toUs)
      segment.lastId = lastId
      segment.lastFailureId = lastFailureId ?? segment.lastFailureId
    },
    async reloadBounds(segment) {
      try {
        await readBounds(connection, segment)
      } finally {
        // Changed last, so that no query summarises the new revision with the old bounds.
        segment.revision += 1
      }
    },
    async rotate(afterId = 0) {
      const full = active()
      if (full.events === 0) return
      list = [...list, await create(connection, folder, Math.max(full.lastId, afterId))]
      await connection.run(`CHECKPOINT ${full.name}`)
    },
    async insert(afterId) {
      const existing = list.find(({ name }) => name === nameOf(afterId))
      if (existing !== undefined) return existing
      const created = await create(connection, folder, afterId)
      list = inOrder([...list, created])
      const before = list[list.indexOf(created) - 1]
      if (before !== undefined) await connection.run(`CHECKPOINT ${before.name}`)
      return created
    },
    retire(segments) {
      const names = new Set(segments.map(({ name }) => name))
      list = list.filter(({ name }) => !names.has(name))
    },
    async remove(segments) {
      for (const { name, path } of segments) {
        await connection.run(`DETACH ${name}`).catch(ignoreFailedCheckpoint)
        await removeFiles(path)
      }
    },
    async detach() {
      for (const { name } of list) await detach(connection, name)
    },
  }
}

/**
 * Sorts segments by the ids of their events. The file names may be in a different order, because the segment that was
 * created first may contain newer events than others.
 */
function inOrder(segments: readonly Segment[]): Segment[] {
  const startOf = ({ events, firstId, lastId }: Segment) => (events > 0 ? firstId : lastId)
  return segments.toSorted((a, b) => startOf(a) - startOf(b))
}

export function countEvents(segments: readonly Segment[]): number {
  return segments.reduce((sum, { events }) => sum + events, 0)
}

/** The names of segment files, in alphabetical order. Includes missing files whose log still exists. */
export async function segmentFiles(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).map(file => file.replace(/\.wal$/, ''))
  return [...new Set(files)].filter(file => filePattern.test(file)).sort()
}

async function create(connection: DuckDBConnection, folder: string, afterId: number): Promise<Segment> {
  const path = join(folder, `events-${String(afterId).padStart(16, '0')}.duckdb`)
  try {
    return await attachSegment(connection, path)
  } catch (error) {
    // The next attempt creates the same file, and the engine attaches a path only once.
    await connection.run(`DETACH DATABASE IF EXISTS ${nameOf(afterId)}`).catch(() => {})
    await removeFiles(path)
    throw error
  }
}

async function attachSegment(connection: DuckDBConnection, path: string): Promise<Segment> {
  const afterId = afterIdIn(path)
  const name = nameOf(afterId)
  const identity = await attach(connection, path, name, segmentLayout)
  const segment = {
    name,
    path,
    identity,
    events: 0,
    fromUs: Number.POSITIVE_INFINITY,
    toUs: Number.NEGATIVE_INFINITY,
    firstId: afterId,
    lastId: afterId,
    lastFailureId: afterId,
    revision: 0,
    hasSummaries: false,
  }
  await readBounds(connection, segment)
  return segment
}

/** The number in a segment's file name. All ids in the segment are greater. */
export function afterIdIn(path: string): number {
  return Number(filePattern.exec(basename(path))?.[1])
}

function nameOf(afterId: number): string {
  return `events_${afterId}`
}

async function readBounds(connection: DuckDBConnection, segment: Segment): Promise<void> {
  const reader = await connection.runAndReadAll(
    `SELECT count(*), min(time_us), max(time_us), min(id), max(id),
      (SELECT coalesce(max(last_id), 0) FROM ${segment.name}.search_filter),
      (SELECT min(events) FROM ${segment.name}.summary) FROM ${segment.name}.event`,
  )
  const [events, fromUs, toUs, firstId, lastId, filteredId, summarisedEvents] = reader.getRows()[0] ?? []
  segment.events = Number(events)
  // The summaries are outdated if events were added or deleted.
  segment.hasSummaries = segment.events > 0 && Number(summarisedEvents) === segment.events
  // Filters can outlast their events, and would hide new events with the same ids.
  segment.lastId = Math.max(segment.lastId, Number(filteredId))
  if (segment.events > 0) {
    segment.fromUs = Number(fromUs)
    segment.toUs = Number(toUs)
    segment.firstId = Number(firstId)
    // Ids must keep increasing even after the newest events are deleted.
    segment.lastId = Math.max(segment.lastId, Number(lastId))
    segment.lastFailureId = segment.lastId
  } else {
    segment.fromUs = Number.POSITIVE_INFINITY
    segment.toUs = Number.NEGATIVE_INFINITY
  }
}
