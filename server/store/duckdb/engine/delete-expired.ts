import type { RetentionLimits } from '../../../../shared/retention-limits.ts'
import { retire } from '../events/retain.ts'
import type { FileAccess } from './open-files.ts'

/**
 * Applies retention, and deletes the retired segments once no query reads them.
 * @param readers the running queries
 * @returns the number of deleted events
 */
export async function deleteExpired(
  { files, recovery, withLock }: FileAccess,
  readers: ReadonlySet<Promise<unknown>>,
  limits: RetentionLimits,
  nowMs: number,
): Promise<number> {
  const { retired, dropped } = await withLock(() =>
    recovery.retry(() => retire(files().writer, files().segments, limits, nowMs)),
  )
  await Promise.allSettled(readers)
  await withLock(() =>
    recovery.retry(async () => {
      const { segments, summaries, requestSummaries, eventBlocks } = files()
      // Repeated, because reopening the store attaches every file in its folder.
      segments.retire(retired)
      await segments.remove(retired)
      await summaries.prune(segments.all())
      requestSummaries.prune(segments.all())
      eventBlocks.prune(segments.all())
    }),
  )
  return dropped
}
