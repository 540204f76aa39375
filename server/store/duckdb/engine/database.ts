import { setTimeout } from 'node:timers/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { LogEvent, NewEvent } from '../../../../shared/event.ts'
import type { RetentionLimits } from '../../../../shared/retention-limits.ts'
import type { Logger } from '../../../logger.ts'
import { acceptedMs, idAt } from '../../common/time.ts'
import { StoreUnavailableError } from '../../store.ts'
import { createAppender } from '../events/append.ts'
import { retire } from '../events/retain.ts'
import type { Source } from '../sql/source.ts'
import { join, name, sql } from '../sql/sql.ts'
import { openWorkspace, type Workspace } from '../workspace/workspace.ts'
import { diskBytes, isMissing } from './attach.ts'
import { createQueryRunner } from './connections.ts'
import { DamagedFileError, damagedFiles, moveAside } from './damaged-file.ts'
import { startEngine } from './engine.ts'
import { isDamagedBlock, isInvalidated, isOutOfMemory } from './engine-errors.ts'
import { lockFolder } from './folder.ts'
import { createMutex } from './mutex.ts'
import { type Bounds, numberEvents } from './number-events.ts'
import { readSegments } from './read-segments.ts'
import { createRecovery } from './recovery.ts'
import { runCommit } from './run-commit.ts'
import { openSegments, type Segment, type Segments } from './segments.ts'
import { createSummaries } from './summaries.ts'
import { unavailable } from './unavailable.ts'

/**
 * The number of simultaneous queries: two slow ones and a quick one. Each query uses all cores, so more would only compete.
 * Each also occupies one of the four threads in Node's pool, which file reads and compression also need.
 */
const readConnectionCount = 3

/** When to start the next segment; docs/decisions/0001-segments.md contains the measurements. */
const segmentEvents = 1_000_000
const segmentAgeMs = 86_400_000

/** The files of a store, with one writer at a time and a few simultaneous readers. */
export type Database = {
  readonly segments: Pick<Segments, 'all' | 'overlapping' | 'active'>
  readonly workspace: Pick<Workspace, 'path' | 'query' | 'execute'>
  append(events: readonly NewEvent[], requestKeys: readonly string[]): Promise<LogEvent[]>
  /** Runs queries. Retention does not delete the files that they may read until `work` ends. */
  reading<T>(signal: AbortSignal | undefined, work: (source: Source) => Promise<T>): Promise<T>
  /** Changes stored events. Appends wait until `work` ends. */
  writing<T>(work: (connection: DuckDBConnection, segments: readonly Segment[]) => Promise<T>): Promise<T>
  retain(limits: RetentionLimits, nowMs: number): Promise<number>
  /** The size of all files. */
  diskBytes(): Promise<number>
  /** See `StoreStats`. */
  damagedFiles(): Promise<string[]>
  /**
   * Checks that every file can be read. Simultaneous calls share one check.
   * @throws StoreUnavailableError if a file was deleted or moved; the engine's error if one cannot be read
   */
  check(): Promise<void>
  close(): Promise<void>
}

const checkTimeoutMs = 5_000

/** The pause between two attempts to reopen the store. */
const reopenAfterMs = 500

/** @throws StoreUnavailableError if the folder cannot be used; deletes the folder if this call created it */
export async function openDatabase(
  folderPath: string,
  {
    memoryBytes,
    nowMs,
    logger,
  }: {
    memoryBytes: number | null
    nowMs: () => number
    logger: Pick<Logger, 'error' | 'warn'> | undefined
  },
): Promise<Database> {
  const folder = await lockFolder(folderPath).catch(error => {
    throw unavailable(error, folderPath)
  })
  const open = async ({ verifies }: { verifies: boolean }): Promise<OpenFiles> => {
    let firstId = 0
    for (;;) {
      try {
        return await openFiles(folder.path, { firstId, verifies, memoryBytes })
      } catch (error) {
        if (!(error instanceof DamagedFileError)) throw error
        const movedTo = await moveAside(error.path, nowMs())
        firstId = idAt(nowMs())
        logger?.error({ err: error, file: error.path, movedTo }, 'Moved a damaged store file aside')
      }
    }
  }
  let files = await open({ verifies: false }).catch(async error => {
    await folder.undo()
    throw unavailable(error, folder.path)
  })
  /**
   * Damage errors after which all segments were checked. If an error recurs, the damage is not in a segment, and reopening
   * does not help.
   */
  const examinedDamage = new Set<string>()
  const recovery = createRecovery({
    isBroken: error => isInvalidated(error) || (isDamagedBlock(error) && !examinedDamage.has(String(error))),
    async replace(reason) {
      await throwIfMissing(filesOf(files))
      files.engine.close()
      const verifies = isDamagedBlock(reason)
      if (verifies) examinedDamage.add(String(reason))
      files = await open({ verifies })
      logger?.warn({ reason: String(reason) }, 'Reopened the store')
    },
  })

  const withLock = createMutex()
  const retentionRuns = new Set<Promise<unknown>>()
  const readers = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined
  const throwIfClosed = () => {
    if (closing !== undefined) throw new StoreUnavailableError('The store is closed')
  }

  const rotateIfFull = async ({ segments }: OpenFiles) => {
    const { events, firstId } = segments.active()
    const isOld = events > 0 && nowMs() - acceptedMs(firstId) >= segmentAgeMs
    if (events >= segmentEvents || isOld) await segments.rotate()
  }

  /** Reopens the store, no matter how long it takes: the writer must find out whether its transaction was committed. */
  const reopen = async (reason: unknown) => {
    for (;;) {
      try {
        return await recovery.replace(reason)
      } catch (err) {
        if (err instanceof StoreUnavailableError || closing !== undefined) throw err
        logger?.error({ err }, 'Failed to reopen the store; trying again')
        await setTimeout(reopenAfterMs)
      }
    }
  }

  /** Whether an event is stored although its commit failed for lack of memory. */
  const isCommittedAnyway = async (id: number) => {
    const { probe, segments } = files
    const count = sql`SELECT count(*) AS count FROM ${name(segments.active().name)}.event WHERE id = ${id}`
    const rows = await probe(count, AbortSignal.timeout(checkTimeoutMs)).catch(() => [])
    return Number(rows[0]?.count ?? 0) > 0
  }

  /** Commits events. If the engine does not report the outcome, looks for the events in the reopened store. */
  const commit = async (events: readonly LogEvent[], bounds: Bounds, requestKeys: readonly string[]) => {
    const requests = requestKeys.map(key => ({ key, acceptedMs: Math.floor(nowMs()) }))
    try {
      await recovery.run(async () => {
        const { writer, write, segments } = files
        await write(writer, segments.active().name, events, requests)
        segments.addToBounds(bounds)
      })
    } catch (error) {
      if (isOutOfMemory(error) && (await isCommittedAnyway(bounds.lastId))) {
        files.segments.addToBounds(bounds)
        return
      }
      if (!isInvalidated(error)) throw error
      await reopen(error)
      const isStored = files.segments
        .all()
        .some(segment => segment.events > 0 && segment.lastId === bounds.lastId)
      if (!isStored) throw error
    }
  }

  const readEveryFile = async (signal: AbortSignal) => {
    await throwIfMissing(filesOf(files))
    await recovery.retry(() => {
      const { probe, segments } = files
      const tables = segments.all().map(segment => sql`SELECT version FROM ${name(segment.name)}.layout`)
      const all = join([...tables, sql`SELECT version FROM workspace.layout`], ' UNION ALL ')
      return probe(sql`SELECT count(*) FROM (${all})`, signal)
    })
  }
  /** Adds a timeout, because the engine does not respond to interrupts while the disk stalls. */
  const checkInTime = () => {
    const signal = AbortSignal.timeout(checkTimeoutMs)
    return new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      readEveryFile(signal).then(resolve, reject)
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
      async query(query, signal) {
        throwIfClosed()
        return recovery.retry(() => files.workspace.query(query, signal))
      },
      async execute(...statements) {
        throwIfClosed()
        await runCommit(
          recovery,
          () => files.workspace.execute(...statements),
          err => logger?.error({ err }, 'Failed to reopen the store; the next query tries again'),
        )
      },
    },
    async append(events, requestKeys) {
      throwIfClosed()
      return withLock(async () => {
        await throwIfMissing([files.segments.active()])
        await recovery.retry(() => rotateIfFull(files))
        const firstId = Math.max(files.segments.active().lastId + 1, idAt(nowMs()))
        const { stored, bounds } = await numberEvents(events, firstId)
        if (stored.length > 0) await commit(stored, bounds, requestKeys)
        // If the file was deleted during the commit, the events are lost.
        await throwIfMissing([files.segments.active()])
        return stored
      })
    },
    async reading(signal, work) {
      throwIfClosed()
      return recovery.retry(async () => {
        signal?.throwIfAborted()
        const { segments, summaries, runQuery } = files
        const source: Source = {
          segments,
          query: query => runQuery(query, signal),
          summary: name => summaries.read(name, segments.all()),
        }
        return tracked(readers, work(source))
      })
    },
    async writing(work) {
      throwIfClosed()
      return withLock(() => recovery.retry(() => work(files.writer, files.segments.all())))
    },
    async retain(limits, now) {
      throwIfClosed()
      const drop = async () => {
        const { retired, dropped } = await withLock(() =>
          recovery.retry(() => retire(files.writer, files.segments, limits, now)),
        )
        await Promise.allSettled(readers)
        await withLock(() =>
          recovery.retry(async () => {
            // Repeated, because reopening the store attaches every file in its folder.
            files.segments.retire(retired)
            await files.segments.remove(retired)
            await files.summaries.prune(files.segments.all())
          }),
        )
        return dropped
      }
      return tracked(retentionRuns, drop())
    },
    async diskBytes() {
      const sizes = await Promise.all(filesOf(files).map(diskBytes))
      return sizes.reduce((sum, size) => sum + size, 0)
    },
    damagedFiles: () => damagedFiles(folder.path),
    async check() {
      throwIfClosed()
      checking ??= checkInTime().finally(() => {
        checking = null
      })
      return checking
    },
    close() {
      closing ??= Promise.allSettled(retentionRuns)
        .then(() =>
          withLock(() =>
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

/** An engine with all files of a store attached. */
type OpenFiles = Awaited<ReturnType<typeof openFiles>>

/**
 * @param options.verifies whether to read all segments
 * @throws DamagedFileError for a damaged segment; the others can be opened after it is moved aside
 */
async function openFiles(
  folder: string,
  { firstId, verifies, memoryBytes }: { firstId: number; verifies: boolean; memoryBytes: number | null },
) {
  const engine = await startEngine(folder, memoryBytes)
  try {
    const writer = await engine.connect()
    const readConnections = await Promise.all(
      Array.from({ length: readConnectionCount }, () => engine.connect()),
    )
    const segments = await openSegments(writer, folder, firstId)
    if (verifies) await readSegments(writer, segments.all())
    // Leaves the damaged segment's ids unused, so that the segment can be moved back once it is repaired.
    if (firstId > 0) await segments.rotate(firstId)
    const runQuery = createQueryRunner(readConnections)
    return {
      engine,
      writer,
      write: createAppender(),
      runQuery,
      summaries: await createSummaries(runQuery),
      // A probe must not queue behind the queries of busy pages.
      probe: createQueryRunner([await engine.connect()]),
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

/** @throws StoreUnavailableError if a file was deleted, moved or replaced since it was opened */
async function throwIfMissing(files: readonly Pick<Segment, 'path' | 'identity'>[]): Promise<void> {
  const missing = await Promise.all(files.map(isMissing))
  const path = files.find((_, index) => missing[index])?.path
  if (path === undefined) return
  throw new StoreUnavailableError(
    `${path} was deleted, moved or replaced while Sixpane was running: put it back, or restart Sixpane to continue without it`,
  )
}

/** Adds a promise to a set until it settles. */
function tracked<T>(pending: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
  pending.add(work)
  return work.finally(() => pending.delete(work))
}
