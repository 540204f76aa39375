import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { LogEvent, NewEvent } from '../../../../shared/event.ts'
import type { RetentionLimits } from '../../../../shared/retention-limits.ts'
import type { Logger } from '../../../logger.ts'
import { createMutex } from '../../common/mutex.ts'
import { acceptedMs, idAt } from '../../common/time.ts'
import { StoreUnavailableError } from '../../store.ts'
import type { ImportResult } from '../../transfer-store.ts'
import { retire } from '../events/retain.ts'
import type { SearchFilters } from '../filters/search-filters.ts'
import type { Source } from '../sql/source.ts'
import { importEvents } from '../transfer/import-events.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { diskBytes } from './attach.ts'
import { copyDatabase, copyFolder } from './backup.ts'
import { createFileCheck } from './check-files.ts'
import { createCommit } from './commit.ts'
import { DamagedFileError, damagedFiles, moveAside } from './damaged-file.ts'
import { isDamagedBlock, isInvalidated } from './engine-errors.ts'
import { lockFolder } from './folder.ts'
import { numberEvents } from './number-events.ts'
import { filesOf, type OpenFiles, openFiles, throwIfMissing } from './open-files.ts'
import { createRecovery } from './recovery.ts'
import { runCommit } from './run-commit.ts'
import type { Segment, Segments } from './segments.ts'
import { unavailable } from './unavailable.ts'

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
   * those that retention deletes before their file is copied. Appends wait only while one file is copied.
   * @returns the number of events in the copy
   */
  backup(folder: string): Promise<number>
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
   * Damage errors that triggered a check of all segments. If one recurs, the damage is not in a segment, and reopening does
   * not help.
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

  const rotateIfFull = async ({ segments }: OpenFiles, now: number) => {
    const { events, firstId } = segments.active()
    const isOld = events > 0 && now - acceptedMs(firstId) >= segmentAgeMs
    if (events >= segmentEvents || isOld) await segments.rotate()
  }

  const commit = createCommit({
    files: () => files,
    recovery,
    isClosing: () => closing !== undefined,
    nowMs,
    logger,
  })
  const check = createFileCheck(() => files, recovery)

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
          () => {
            const { workspace, failureIndex, queryCache, sampleCache } = files
            return workspace.execute(...statements).finally(() => {
              failureIndex.reset()
              queryCache.countWorkspaceChange()
              sampleCache.countWorkspaceChange()
            })
          },
          err => logger?.error({ err }, 'Failed to reopen the store; the next query tries again'),
        )
      },
    },
    async append(events, requestKeys) {
      throwIfClosed()
      return withLock(async () => {
        await throwIfMissing([files.segments.active()])
        await recovery.retry(() => rotateIfFull(files, nowMs()))
        const firstId = Math.max(files.segments.active().lastId + 1, idAt(nowMs()))
        const { stored, bounds } = await numberEvents(events, firstId)
        if (stored.length > 0) await commit(stored, bounds, requestKeys)
        // If the file was deleted during the commit, the events are lost.
        await throwIfMissing([files.segments.active()])
        return stored
      })
    },
    async importEvents(events) {
      throwIfClosed()
      return withLock(async () => {
        await throwIfMissing(files.segments.all())
        return importEvents(
          { files: () => files, commit, recovery, rotateIfFull: now => rotateIfFull(files, now) },
          events,
        )
      })
    },
    async reading(signal, work) {
      throwIfClosed()
      return recovery.retry(async () => {
        signal?.throwIfAborted()
        const {
          segments,
          summaries,
          requestSummaries,
          eventBlocks,
          serviceTimes,
          failureIndex,
          searchFilters,
          queryCache,
          sampleCache,
          runQuery,
          readResult,
        } = files
        const source: Source = {
          services: null,
          segments,
          query: query => runQuery(query, signal),
          queryCached: queryCache.query,
          samplesCached: async (query, affectedBy) => (await sampleCache.query(query, affectedBy)).samples,
          read: query => readResult(query, signal),
          summary: name => summaries.read(name, segments.all()),
          requestSummaries: some => requestSummaries.read(some, segments.active(), signal),
          eventBlocks: eventBlocks.read,
          serviceTimes: serviceTimes.read,
          failureIndex: failureIndex.read,
          searchFilters: searchFilters.read,
        }
        return tracked(readers, work(source))
      })
    },
    async writing(work) {
      throwIfClosed()
      return withLock(() =>
        recovery.retry(() => work(files.writer, files.segments.all(), files.searchFilters)),
      )
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
            files.requestSummaries.prune(files.segments.all())
            files.eventBlocks.prune(files.segments.all())
          }),
        )
        return dropped
      }
      return tracked(retentionRuns, drop())
    },
    async backup(target) {
      throwIfClosed()
      const copy = async () => {
        // Nothing is appended to the other segments, but their events may be changed or deleted.
        const { activeEvents, sealed } = await withLock(() =>
          recovery.retry(async () => {
            const { segments, workspace } = files
            const { name, path, events } = segments.active()
            await copyDatabase(path, target)
            await workspace.copyTo(target)
            return { activeEvents: events, sealed: segments.all().filter(segment => segment.name !== name) }
          }),
        )
        let events = activeEvents
        for (const segment of sealed) {
          events += await withLock(async () => {
            await copyDatabase(segment.path, target)
            // Reopening the store replaces the objects that describe the segments.
            const current = files.segments.all().find(({ name }) => name === segment.name) ?? segment
            return current.events
          })
        }
        await copyFolder(join(folder.path, 'source-maps'), join(target, 'source-maps'))
        return events
      }
      return tracked(readers, copy())
    },
    async diskBytes() {
      const sizes = await Promise.all(filesOf(files).map(diskBytes))
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

/** Keeps a promise in a set until it settles. */
function tracked<T>(pending: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
  pending.add(work)
  return work.finally(() => pending.delete(work))
}
