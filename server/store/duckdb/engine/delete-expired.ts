import type { RetentionLimits } from '../../../../shared/retention-limits.ts'
import { deleteRows, retireSegments } from '../events/retain.ts'
import type { FileAccess } from './open-files.ts'
import { countEvents } from './segments.ts'

/**
 * Applies retention. Deletes whole segments first, because deleting individual events needs free disk space.
 * @param readers the running queries, which may still read the segments
 * @returns the number of deleted events
 */
export async function deleteExpired(
  { files, recovery, withLock }: FileAccess,
  readers: ReadonlySet<Promise<unknown>>,
  limits: RetentionLimits,
  nowMs: number,
): Promise<number> {
  const deleteSegments = async () => {
    const retired = await withLock(() =>
      recovery.retry(() => retireSegments(files().segments, limits, nowMs)),
    )
    if (retired.length === 0) return 0
    await Promise.allSettled(readers)
    await withLock(() =>
      recovery.retry(async () => {
        const { segments } = files()
        // Retires the segments again, because reopening the store attaches every file in its folder.
        segments.retire(retired)
        await segments.remove(retired)
      }),
    )
    return countEvents(retired)
  }

  try {
    const beforeRows = await deleteSegments()
    const rows = await withLock(() =>
      recovery.retry(() => deleteRows(files().writer, files().segments, limits, nowMs)),
    )
    return beforeRows + rows + (await deleteSegments())
  } finally {
    // Free the cached data of deleted segments even after an error, because a lack of memory may have caused the error.
    await Promise.allSettled(readers)
    // Runs without the lock, so that appends do not wait.
    await recovery.retry(async () => {
      const { segments, summaries, requestSummaries, eventBlocks } = files()
      requestSummaries.prune(segments.all())
      eventBlocks.prune(segments.all())
      // Called only once per run, because each call frees the summaries that queries may have been reading during the
      // previous call.
      await summaries.prune(segments.all())
    })
  }
}
