import type { Context } from './context.ts'
import { retentionOf } from './settings/runtime-settings.ts'
import { createWorker, type Worker } from './worker.ts'

const everyMs = 60_000

/** Drops events past their retention: now, every minute, and when the settings change. */
export function startRetention({
  settings,
  store,
  logger,
}: Pick<Context, 'settings' | 'store' | 'logger'>): Pick<Worker, 'stop'> {
  const worker = createWorker({
    everyMs,
    async run() {
      const dropped = await store.retain(retentionOf(settings.current()), Date.now())
      if (dropped > 0) logger.info({ dropped }, 'Dropped events past their retention')
    },
    onError: err => logger.error({ err }, 'Failed to drop events past their retention'),
  })
  settings.onChange(() => void worker.wake())
  void worker.wake()
  return worker
}
