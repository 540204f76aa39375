import { setTimeout } from 'node:timers/promises'
import type { LogEvent } from '../../../../shared/event.ts'
import type { Logger } from '../../../logger.ts'
import { name, sql } from '../../common/sql.ts'
import { StoreUnavailableError } from '../../store.ts'
import { type Bounds, boundsOf } from './bounds.ts'
import { isInvalidated, isOutOfMemory } from './engine-errors.ts'
import type { OpenFiles } from './open-files.ts'
import type { Recovery } from './recovery.ts'

/** The pause between two attempts to reopen the store. */
const reopenAfterMs = 500

/** The timeout of the query that checks whether a failed commit stored its events. The query may have to wait for memory. */
const probeTimeoutMs = 5_000

/**
 * Commits events to the active segment. Resolves if the events are durable, even if the engine reported a failure.
 * @throws the engine's error if the events are not stored or the outcome is unknown; StoreUnavailableError if a file of the
 * store was deleted, moved or replaced
 */
export type Commit = (events: readonly LogEvent[], requestKeys: readonly string[]) => Promise<void>

/** @param options.files the files that are currently open; `recovery` may replace them */
export function createCommit({
  files,
  recovery,
  isClosing,
  nowMs,
  logger,
}: {
  files: () => OpenFiles
  recovery: Pick<Recovery, 'run' | 'replace'>
  isClosing: () => boolean
  nowMs: () => number
  logger: Pick<Logger, 'error'> | undefined
}): Commit {
  /**
   * Retries until the store is reopened. Reopening reads the segments' bounds from their files, and the bounds show whether
   * the transaction was committed. Gives up if the store is unavailable or being closed.
   */
  const reopen = async (reason: unknown) => {
    for (;;) {
      try {
        return await recovery.replace(reason)
      } catch (err) {
        if (err instanceof StoreUnavailableError || isClosing()) throw err
        logger?.error({ err }, 'Failed to reopen the store; trying again')
        await setTimeout(reopenAfterMs)
      }
    }
  }

  const addCommitted = (events: readonly LogEvent[], bounds: Bounds) => {
    files().segments.addToBounds(bounds)
    files().recentEvents.add(events)
  }

  return async (events, requestKeys) => {
    const bounds = boundsOf(events)
    const requests = requestKeys.map(key => ({ key, acceptedMs: Math.floor(nowMs()) }))
    let stored: boolean | null = false
    try {
      await recovery.run(async () => {
        const { writer, write, segments } = files()
        await write(writer, segments.active().name, events, requests).catch(async error => {
          // Part of the same operation, so that the store is not reopened before the query ends.
          if (isOutOfMemory(error)) stored = await isStored(files(), bounds.lastId)
          if (stored !== true) throw error
        })
        addCommitted(events, bounds)
      })
    } catch (error) {
      if (stored === false && !isInvalidated(error)) {
        // After any error except a lack of memory, it is unknown whether the events were stored.
        files().recentEvents.forget()
        throw error
      }
      await reopen(error)
      const isLast = files()
        .segments.all()
        .some(segment => segment.events > 0 && segment.lastId === bounds.lastId)
      if (!isLast) throw error
    }
  }
}

/**
 * Whether the active segment contains an event. A commit that fails for lack of memory may have stored its events. Returns
 * `null` if the query fails, too.
 */
async function isStored({ probe, segments }: OpenFiles, id: number): Promise<boolean | null> {
  const count = sql`SELECT count(*) AS count FROM ${name(segments.active().name)}.event WHERE id = ${id}`
  return probe(count, AbortSignal.timeout(probeTimeoutMs)).then(
    ([row]) => Number(row?.count) > 0,
    () => null,
  )
}
