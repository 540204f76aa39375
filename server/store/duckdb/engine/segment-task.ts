import { hourMs } from '../../../../shared/duration-units.ts'
import { type BackgroundTask, createBackgroundTask } from '../../../background-task.ts'
import type { Database } from './database.ts'

const everyMs = 10_000
/** The pause after an error, such as a full disk or a lack of memory. */
const retryAfterMs = hourMs

/**
 * Prepares each segment in the background. Sealed segments are prepared once, and the active one repeatedly.
 * @param options.prepare should pause for as long as it has worked, so that queries get at least half of the engine's time
 * @param options.onError called at most once per hour, because on a full disk, all segments fail, one in each run
 */
export function createSegmentTask({
  database,
  nowMs,
  prepare,
  onError,
}: {
  database: Pick<Database, 'segments'>
  nowMs: () => number
  prepare: (segmentName: string, isActive: boolean, signal: AbortSignal) => Promise<void>
  onError: (error: unknown) => void
}): BackgroundTask {
  const finished = new Set<string>()
  /** When to retry each segment that could not be prepared. */
  const retryMs = new Map<string, number>()
  let quietUntilMs = 0

  return createBackgroundTask({
    everyMs,
    async run(signal) {
      const active = database.segments.active().name
      for (const { name } of database.segments.all()) {
        if (finished.has(name) || nowMs() < (retryMs.get(name) ?? 0)) continue
        try {
          await prepare(name, name === active, signal)
          if (name !== active) finished.add(name)
        } catch (error) {
          if (signal.aborted) return
          retryMs.set(name, nowMs() + retryAfterMs)
          throw error
        }
      }
    },
    onError(error) {
      if (nowMs() < quietUntilMs) return
      quietUntilMs = nowMs() + retryAfterMs
      onError(error)
    },
  })
}
