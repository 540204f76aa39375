import type { DuckDBConnection } from '@duckdb/node-api'
import type { LogEvent, NewEvent } from '../../../../shared/event.ts'
import type { RetentionLimits } from '../../../../shared/retention-limits.ts'
import type { Logger } from '../../../logger.ts'
import { createMutex } from '../../common/mutex.ts'
import type { Sql } from '../../common/sql.ts'
import { acceptedMs } from '../../common/time.ts'
import { StoreUnavailableError } from '../../store.ts'
import type { ImportResult } from '../../transfer-store.ts'
import type { SearchFilters } from '../filters/search-filters.ts'
import { throwIfRestoring } from '../restoring.ts'
import type { Source } from '../sql/source.ts'
import { importEvents } from '../transfer/import-events.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { diskBytes } from './attach.ts'
import { backUp } from './backup.ts'
import { createFileCheck } from './check-files.ts'
import { type Commit, createCommit } from './commit.ts'
import { createSource } from './create-source.ts'
import { damagedFiles } from './damaged-file.ts'
import { deleteExpired } from './delete-expired.ts'
import { firstIdAt } from './first-id.ts'
import { lockFolder } from './folder.ts'
import { numberEvents } from './number-events.ts'
import { type FileAccess, filesOf, type OpenFiles, throwIfMissing } from './open-files.ts'
import type { OpenOptions } from './open-undamaged.ts'
import type { Recovery } from './recovery.ts'
import { openReopenableFiles } from './reopenable-files.ts'
import { runCommit } from './run-commit.ts'
import { countEvents, type Segment, type Segments } from './segments.ts'
import { isInUse, unavailable } from './unavailable.ts'

/** When to start the next segment; docs/decisions/0001-segments.md contains the measurements. */
const segmentEvents = 1_000_000
const segmentAgeMs = 86_400_000

/** The files of a store, with one writer at a time and a few simultaneous readers. */
export type Database = {
  readonly segments: Pick<Segments, 'all' | 'overlapping' | 'active'>
  readonly workspace: Pick<Workspace, 'path' | 'query' | 'execute'>
  append(events: readonly NewEvent[], requestKeys: readonly string[]): Promise<LogEvent[]>
  /** See `TransferStore`. */
  importEvents(events: readonly LogEvent[]): Promise<ImportResult>
  /** Runs queries. Until `work` ends, retention keeps the files that the queries may read. */
  reading<T>(signal: AbortSignal | undefined, work: (source: Source) => Promise<T>): Promise<T>
  /** Changes stored events or filters. Appends wait until `work` ends. */
  writing<T>(
    work: (
      connection: DuckDBConnection,
      segments: readonly Segment[],
      searchFilters: Pick<SearchFilters, 'refresh'>,
    ) => Promise<T>,
  ): Promise<T>
  retain(limits: RetentionLimits, nowMs: number): Promise<number>
  /**
   * Copies all files to an empty folder. The copy contains exactly the events that are stored when the call starts, except
   * those that retention deletes before their file is copied. Appends do not wait for the whole copy.
   * @returns the number of events in the copy
   * @throws the signal's reason if the signal is aborted before the last segment is copied
   */
  backup(folder: string, signal: AbortSignal): Promise<number>
  /** Resolves when the backups that are running now have ended. */
  backupsEnd(): Promise<void>
  /** The size of all files. */
  diskBytes(): Promise<number>
  /** See `StoreStats`. */
  damagedFiles(): Promise<string[]>
  /**
   * Checks that every file can be read. Simultaneous calls share one check.
   * @throws StoreUnavailableError if a file was deleted, moved or replaced; the engine's error if a file cannot be read
   */
  check(): Promise<void>
  close(): Promise<void>
}

/** @throws StoreUnavailableError if the folder cannot be used, after deleting the folder if this call created it */
export async function openDatabase(folderPath: string, options: OpenOptions): Promise<Database> {
  await throwIfRestoring(folderPath)
  const folder = await lockFolder(folderPath).catch(error => {
    throw unavailable(error, folderPath)
  })
  const { files, recovery } = await openReopenableFiles(folder.path, options).catch(async error => {
    // The other process may already have created files in the new folder.
    if (isInUse(error)) folder.release()
    else await folder.undo()
    throw unavailable(error, folder.path)
  })

  const { nowMs, logger } = options
  const withLock = createMutex()
  const access: FileAccess = { files, recovery, withLock }
  const retentionRuns = new Set<Promise<unknown>>()
  const readers = new Set<Promise<unknown>>()
  const backups = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined
  const throwIfClosed = () => {
    if (closing !== undefined) throw new StoreUnavailableError('The store is closed')
  }

  const commit = createCommit({ files, recovery, isClosing: () => closing !== undefined, nowMs, logger })
  const check = createFileCheck(files, recovery)

  return {
    segments: {
      all: () => files().segments.all(),
      overlapping: window => files().segments.overlapping(window),
      active: () => files().segments.active(),
    },
    workspace: {
      path: files().workspace.path,
      async query(query, signal) {
        throwIfClosed()
        return recovery.retry(() => files().workspace.query(query, signal))
      },
      async execute(...statements) {
        throwIfClosed()
        await execute(files, recovery, statements, logger)
      },
    },
    async append(events, requestKeys) {
      throwIfClosed()
      return withLock(() => append(access, commit, events, requestKeys, nowMs))
    },
    async importEvents(events) {
      throwIfClosed()
      return withLock(async () => {
        await throwIfMissing(files().segments.all())
        return importEvents(
          { files, commit, recovery, isFull, rotateIfFull: firstId => rotateIfFull(files(), firstId) },
          events,
        )
      })
    },
    async reading(signal, work) {
      throwIfClosed()
      return recovery.retry(async () => {
        signal?.throwIfAborted()
        await files().engine.setThreadsFor(countEvents(files().segments.all()))
        return tracked(readers, work(createSource(files(), signal)))
      })
    },
    async writing(work) {
      throwIfClosed()
      return withLock(() =>
        recovery.retry(() => work(files().writer, files().segments.all(), files().searchFilters)),
      )
    },
    async retain(limits, now) {
      throwIfClosed()
      return tracked(retentionRuns, deleteExpired(access, readers, limits, now))
    },
    async backup(target, signal) {
      throwIfClosed()
      return tracked(backups, tracked(readers, backUp(access, target, signal)))
    },
    async backupsEnd() {
      await Promise.allSettled(backups)
    },
    async diskBytes() {
      const sizes = await Promise.all(filesOf(files()).map(diskBytes))
      return sizes.reduce((sum, size) => sum + size, 0)
    },
    damagedFiles: () => damagedFiles(folder.path),
    async check() {
      throwIfClosed()
      return check()
    },
    close() {
      closing ??= Promise.allSettled(retentionRuns)
        .then(() =>
          withLock(() =>
            recovery.finish(async () => {
              await files().segments.detach()
              await files().workspace.detach()
            }),
          ),
        )
        .finally(async () => {
          await files().engine.close()
          folder.release()
        })
      return closing
    },
  }
}

/** Executes statements in the workspace, in one transaction. */
async function execute(
  files: () => OpenFiles,
  recovery: Pick<Recovery, 'run' | 'replace'>,
  statements: readonly Sql[],
  logger: Pick<Logger, 'error'> | undefined,
): Promise<void> {
  await runCommit(
    recovery,
    () => {
      const { workspace, failureIndex, queryCache, sampleCache } = files()
      return workspace.execute(...statements).finally(() => {
        failureIndex.reset()
        queryCache.countWorkspaceChange()
        sampleCache.countWorkspaceChange()
      })
    },
    err => logger?.error({ err }, 'Failed to reopen the store; the next query tries again'),
  )
}

/** Numbers and commits events. The caller holds the lock. */
async function append(
  { files, recovery }: Pick<FileAccess, 'files' | 'recovery'>,
  commit: Commit,
  events: readonly NewEvent[],
  requestKeys: readonly string[],
  nowMs: () => number,
): Promise<LogEvent[]> {
  await throwIfMissing([files().segments.active()])
  await recovery.retry(() => rotateIfFull(files(), nextId(files(), nowMs())))
  const stored = await numberEvents(events, nextId(files(), nowMs()))
  if (stored.length > 0) await commit(stored, requestKeys)
  // If the file was deleted during the commit, the events are lost.
  await throwIfMissing([files().segments.active()])
  return stored
}

/** Ids keep increasing even if the clock is set back. */
function nextId({ segments }: OpenFiles, nowMs: number): number {
  return Math.max(segments.active().lastId + 1, firstIdAt(nowMs))
}

async function rotateIfFull({ segments }: OpenFiles, firstId: number): Promise<void> {
  if (isFull(segments.active(), acceptedMs(firstId))) await segments.rotate(firstId - 1)
}

/** Whether a segment has enough events, or would cover too long a period if it contained an event accepted at `atMs`. */
function isFull({ events, firstId, lastId }: Segment, atMs: number): boolean {
  if (events === 0) return false
  const fromMs = Math.min(acceptedMs(firstId), atMs)
  const toMs = Math.max(acceptedMs(lastId), atMs)
  return events >= segmentEvents || toMs - fromMs >= segmentAgeMs
}

/** Keeps a promise in a set until it settles. */
function tracked<T>(pending: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
  pending.add(work)
  return work.finally(() => pending.delete(work))
}
