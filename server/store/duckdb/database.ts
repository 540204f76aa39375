import type { DuckDBConnection } from '@duckdb/node-api'
import type { LogEvent, NewEvent } from '../../../shared/event.ts'
import { StoreUnavailableError } from '../store.ts'
import { createAppender } from './append.ts'
import { createAsk } from './connections.ts'
import { createExclusive } from './exclusive.ts'
import { holdFolder } from './folder.ts'
import { startEngine } from './instance.ts'
import { type Limits, retire } from './retain.ts'
import { openSegments, type Segment, type Segments } from './segments.ts'
import type { Source } from './source.ts'
import { acceptedMs, idAt, microsOf } from './time.ts'
import { unavailable } from './unavailable.ts'
import { wellFormed } from './well-formed.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

/**
 * Questions asked at once. Each runs on all cores, so more would only take turns; each also holds a thread of
 * Node's pool of four, which file reads and compression need too.
 */
const readers = 2

/** When the next segment begins; measured in docs/decisions/0001-segments.md. */
const segmentEvents = 1_000_000
const segmentAgeMs = 86_400_000

/** The segments of a folder with what may be done to them: one writes at a time, and a few read. */
export type Database = {
  readonly segments: Pick<Segments, 'all' | 'overlapping' | 'active'>
  readonly workspace: Workspace
  append(events: readonly NewEvent[], requestKeys: readonly string[]): Promise<LogEvent[]>
  /** Lets a piece of work ask questions; what it asks of stays in place until it has ended. */
  reading<T>(signal: AbortSignal | undefined, work: (source: Source) => Promise<T>): Promise<T>
  /** Lets a piece of work write to the events; no append comes between. */
  writing<T>(work: (connection: DuckDBConnection, segments: readonly Segment[]) => Promise<T>): Promise<T>
  retain(limits: Limits, nowMs: number): Promise<number>
  close(): Promise<void>
}

/** @throws StoreUnavailableError when the folder can't be used; nothing is left behind then */
export async function openDatabase(givenFolder: string, nowMs: () => number): Promise<Database> {
  const folder = await holdFolder(givenFolder).catch(error => {
    throw unavailable(error, givenFolder)
  })
  const { engine, writer, forReading, segments, workspace } = await start(folder.path).catch(async error => {
    await folder.undo()
    throw unavailable(error, folder.path)
  })
  const letGo = () => {
    engine.close()
    folder.release()
  }
  const ask = createAsk(forReading)
  const exclusive = createExclusive()
  const write = createAppender()
  const underWay = new Set<Promise<unknown>>()
  const retaining = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined
  const throwIfClosed = () => {
    if (closing !== undefined) throw new StoreUnavailableError('The store is closed')
  }

  return {
    segments,
    workspace,
    async append(events, requestKeys) {
      throwIfClosed()
      return exclusive(async () => {
        const { events: count, firstId, lastId } = segments.active()
        if (count >= segmentEvents || (count > 0 && nowMs() - acceptedMs(firstId) >= segmentAgeMs)) {
          await segments.rotate()
        }
        const kept = numbered(events, Math.max(lastId + 1, idAt(nowMs())))
        const requests = requestKeys.map(key => ({ key, acceptedMs: Math.floor(nowMs()) }))
        if (kept.length > 0) await write(writer, segments.active().name, kept, requests)
        segments.note(kept)
        return kept
      })
    },
    async reading(signal, work) {
      throwIfClosed()
      signal?.throwIfAborted()
      return tracked(underWay, work({ segments, ask: question => ask(question, signal) }))
    },
    async writing(work) {
      throwIfClosed()
      return exclusive(() => work(writer, segments.all()))
    },
    async retain(limits, now) {
      throwIfClosed()
      const drop = async () => {
        const { retired, dropped } = await exclusive(() => retire(writer, segments, limits, now))
        await Promise.allSettled(underWay)
        await exclusive(() => segments.remove(retired))
        return dropped
      }
      return tracked(retaining, drop())
    },
    close() {
      closing ??= Promise.allSettled(retaining)
        .then(() =>
          exclusive(() => Promise.allSettled(underWay).then(segments.detach).then(workspace.detach)),
        )
        .finally(letGo)
      return closing
    },
  }
}

async function start(folder: string) {
  const engine = await startEngine(folder)
  try {
    const writer = await engine.connect()
    const forReading = await Promise.all(Array.from({ length: readers }, () => engine.connect()))
    const segments = await openSegments(writer, folder)
    return {
      engine,
      writer,
      forReading,
      segments,
      workspace: await openWorkspace(await engine.connect(), folder),
    }
  } catch (error) {
    engine.close()
    throw error
  }
}

/** Numbers events from `firstId` on. @throws RangeError for a time that microseconds can't say */
function numbered(events: readonly NewEvent[], firstId: number): LogEvent[] {
  return events.map((event, index) => {
    if (!Number.isSafeInteger(microsOf(event.timeMs)))
      throw new RangeError('The time of an event is out of range')
    return { ...wellFormed(event), id: firstId + index }
  })
}

function tracked<T>(among: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
  among.add(work)
  return work.finally(() => among.delete(work))
}
