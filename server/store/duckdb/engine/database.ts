import { setTimeout } from 'node:timers/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { LogEvent, NewEvent } from '../../../../shared/event.ts'
import type { Logger } from '../../../logger.ts'
import { acceptedMs, idAt, microsOf } from '../../common/time.ts'
import { wellFormed } from '../../common/well-formed.ts'
import { StoreUnavailableError } from '../../store.ts'
import { createAppender } from '../events/append.ts'
import { type Limits, retire } from '../events/retain.ts'
import type { Source } from '../sql/source.ts'
import { join, name, sql } from '../sql/sql.ts'
import { openWorkspace, type Workspace } from '../workspace/workspace.ts'
import { diskBytes, isGone } from './attach.ts'
import { createAsk } from './connections.ts'
import { DamagedFileError, damagedFiles, setAside } from './damaged-file.ts'
import { startEngine } from './engine.ts'
import { isInvalidated } from './engine-errors.ts'
import { holdFolder } from './folder.ts'
import { createExclusive } from './mutex.ts'
import { createRecovery } from './recovery.ts'
import { runCommit } from './run-commit.ts'
import { openSegments, type Segment, type Segments } from './segments.ts'
import { unavailable } from './unavailable.ts'

/**
 * Questions asked at once. Each runs on all cores, so more would only take turns; each also holds a thread of
 * Node's pool of four, which file reads and compression need too.
 */
const readers = 2

/** When the next segment begins; measured in docs/decisions/0001-segments.md. */
const segmentEvents = 1_000_000
const segmentAgeMs = 86_400_000

/** The files of a store and the operations on them: one writer at a time, and a few readers. */
export type Database = {
  readonly segments: Pick<Segments, 'all' | 'overlapping' | 'active'>
  readonly workspace: Pick<Workspace, 'path' | 'ask' | 'change'>
  append(events: readonly NewEvent[], requestKeys: readonly string[]): Promise<LogEvent[]>
  /** Runs queries; the files that they read stay in place until `work` has ended. */
  reading<T>(signal: AbortSignal | undefined, work: (source: Source) => Promise<T>): Promise<T>
  /** Changes stored events; no append comes between. */
  writing<T>(work: (connection: DuckDBConnection, segments: readonly Segment[]) => Promise<T>): Promise<T>
  retain(limits: Limits, nowMs: number): Promise<number>
  /** Bytes on disk of all files. */
  diskBytes(): Promise<number>
  /** See `StoreStats`. */
  damagedFiles(): Promise<string[]>
  /**
   * Reads from every file, to show that the store can be used. Simultaneous calls share one check.
   * @throws StoreUnavailableError when files were deleted or moved; the engine's error when one can't be read
   */
  check(): Promise<void>
  close(): Promise<void>
}

const checkTimeoutMs = 5_000

/** How long to wait before opening the store again after that failed. */
const reopenAfterMs = 500

/** @throws StoreUnavailableError when the folder can't be used; nothing is left behind then */
export async function openDatabase(
  givenFolder: string,
  nowMs: () => number,
  logger: Pick<Logger, 'error' | 'warn'> | undefined,
): Promise<Database> {
  const folder = await holdFolder(givenFolder).catch(error => {
    throw unavailable(error, givenFolder)
  })
  const open = async (): Promise<OpenFiles> => {
    let firstId = 0
    for (;;) {
      try {
        return await openFiles(folder.path, firstId)
      } catch (error) {
        if (!(error instanceof DamagedFileError)) throw error
        const movedTo = await setAside(error.path, nowMs())
        firstId = idAt(nowMs())
        logger?.error({ err: error, file: error.path, movedTo }, 'Set a damaged file of the store aside')
      }
    }
  }
  let files = await open().catch(async error => {
    await folder.undo()
    throw unavailable(error, folder.path)
  })
  const recovery = createRecovery({
    isBroken: isInvalidated,
    async replace() {
      await throwIfGone(filesOf(files))
      files.engine.close()
      files = await open()
      logger?.warn('Reopened the store after the engine had given up on a file')
    },
  })

  const exclusive = createExclusive()
  const retaining = new Set<Promise<unknown>>()
  const readings = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined
  const throwIfClosed = () => {
    if (closing !== undefined) throw new StoreUnavailableError('The store is closed')
  }

  const rotateIfFull = async ({ segments }: OpenFiles) => {
    const { events, firstId } = segments.active()
    const isOld = events > 0 && nowMs() - acceptedMs(firstId) >= segmentAgeMs
    if (events >= segmentEvents || isOld) await segments.rotate()
  }

  /** Reopens the store, however long that takes: only then does a writer know whether its transaction was committed. */
  const reopen = async () => {
    for (;;) {
      try {
        return await recovery.replace()
      } catch (err) {
        if (err instanceof StoreUnavailableError || closing !== undefined) throw err
        logger?.error({ err }, 'Failed to reopen the store; trying again')
        await setTimeout(reopenAfterMs)
      }
    }
  }

  /** Commits events. A commit whose outcome the engine did not report is looked up in the reopened store. */
  const commit = async (events: readonly LogEvent[], requestKeys: readonly string[]) => {
    const requests = requestKeys.map(key => ({ key, acceptedMs: Math.floor(nowMs()) }))
    try {
      await recovery.run(async () => {
        const { writer, write, segments } = files
        await write(writer, segments.active().name, events, requests)
        segments.note(events)
      })
    } catch (error) {
      if (!isInvalidated(error)) throw error
      await reopen()
      const lastId = events.at(-1)?.id
      const isStored = files.segments.all().some(segment => segment.events > 0 && segment.lastId === lastId)
      if (!isStored) throw error
    }
  }

  const readEveryFile = async () => {
    await throwIfGone(filesOf(files))
    const signal = AbortSignal.timeout(checkTimeoutMs)
    await recovery.retry(() => {
      const { probe, segments } = files
      const tables = segments.all().map(segment => sql`SELECT version FROM ${name(segment.name)}.layout`)
      const all = join([...tables, sql`SELECT version FROM workspace.layout`], ' UNION ALL ')
      return probe(sql`SELECT count(*) FROM (${all})`, signal)
    })
  }
  let checking: Promise<void> | null = null

  return {
    segments: {
      all: () => files.segments.all(),
      overlapping: window => files.segments.overlapping(window),
      active: () => files.segments.active(),
    },
    workspace: {
      path: files.workspace.path,
      async ask(query, signal) {
        throwIfClosed()
        return recovery.retry(() => files.workspace.ask(query, signal))
      },
      async change(...statements) {
        throwIfClosed()
        await runCommit(
          recovery,
          () => files.workspace.change(...statements),
          err => logger?.error({ err }, 'Failed to reopen the store; the next query tries again'),
        )
      },
    },
    async append(events, requestKeys) {
      throwIfClosed()
      return exclusive(async () => {
        await throwIfGone([files.segments.active()])
        await recovery.retry(() => rotateIfFull(files))
        const stored = numbered(events, Math.max(files.segments.active().lastId + 1, idAt(nowMs())))
        if (stored.length > 0) await commit(stored, requestKeys)
        // Files that were deleted meanwhile have taken the events with them.
        await throwIfGone([files.segments.active()])
        return stored
      })
    },
    async reading(signal, work) {
      throwIfClosed()
      return recovery.retry(async () => {
        signal?.throwIfAborted()
        const { segments, ask } = files
        return tracked(readings, work({ segments, ask: query => ask(query, signal) }))
      })
    },
    async writing(work) {
      throwIfClosed()
      return exclusive(() => recovery.retry(() => work(files.writer, files.segments.all())))
    },
    async retain(limits, now) {
      throwIfClosed()
      const drop = async () => {
        const { retired, dropped } = await exclusive(() =>
          recovery.retry(() => retire(files.writer, files.segments, limits, now)),
        )
        await Promise.allSettled(readings)
        await exclusive(() =>
          recovery.retry(async () => {
            // Again, since reopening the store attaches every file in its folder.
            files.segments.retire(retired)
            await files.segments.remove(retired)
          }),
        )
        return dropped
      }
      return tracked(retaining, drop())
    },
    async diskBytes() {
      const sizes = await Promise.all(filesOf(files).map(diskBytes))
      return sizes.reduce((sum, size) => sum + size, 0)
    },
    damagedFiles: () => damagedFiles(folder.path),
    async check() {
      throwIfClosed()
      checking ??= readEveryFile().finally(() => {
        checking = null
      })
      return checking
    },
    close() {
      closing ??= Promise.allSettled(retaining)
        .then(() =>
          exclusive(() =>
            recovery.finish(async () => {
              await files.segments.detach()
              await files.workspace.detach()
            }),
          ),
        )
        .finally(() => {
          files.engine.close()
          folder.release()
        })
      return closing
    },
  }
}

/** An engine with all files of a store. */
type OpenFiles = Awaited<ReturnType<typeof openFiles>>

/** @throws DamagedFileError for a segment that can be set aside to open the others */
async function openFiles(folder: string, firstId: number) {
  const engine = await startEngine(folder)
  try {
    const writer = await engine.connect()
    const forReading = await Promise.all(Array.from({ length: readers }, () => engine.connect()))
    const segments = await openSegments(writer, folder, firstId)
    // A segment that is moved back later must not share its ids with those that are stored now.
    if (firstId > 0) await segments.rotate(firstId)
    return {
      engine,
      writer,
      write: createAppender(),
      ask: createAsk(forReading),
      // A probe must not wait behind the queries of busy pages.
      probe: createAsk([await engine.connect()]),
      segments,
      workspace: await openWorkspace(await engine.connect(), folder),
    }
  } catch (error) {
    engine.close()
    throw error
  }
}

function filesOf({ segments, workspace }: OpenFiles) {
  return [...segments.all(), workspace]
}

/** @throws StoreUnavailableError when one of the files was deleted, moved or replaced since it was opened */
async function throwIfGone(files: readonly Pick<Segment, 'path' | 'identity'>[]): Promise<void> {
  const gone = await Promise.all(files.map(isGone))
  const path = files.find((_, index) => gone[index])?.path
  if (path === undefined) return
  throw new StoreUnavailableError(
    `${path} was deleted, moved or replaced while Sixpane was running: put it back, or restart Sixpane to continue without it`,
  )
}

/** Numbers events from `firstId` on. @throws RangeError for a time that microseconds can't express */
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
