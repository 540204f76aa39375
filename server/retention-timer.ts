import type { BackgroundTask } from './background-task.ts'
import type { Context } from './context.ts'
import { createLeaderTask } from './leader-task.ts'
import { retentionOf } from './settings/runtime-settings.ts'

const everyMs = 60_000

/** Deletes expired events now, every minute, and when the settings change. */
export function startRetention({
  settings,
  store,
  logger,
}: Pick<Context, 'settings' | 'store' | 'logger'>): Pick<BackgroundTask, 'stop'> {
  const task = createLeaderTask({
    replicas: store.replicas,
    everyMs,
    async run() {
      const dropped = await store.retain(retentionOf(settings.current()), Date.now())
      if (dropped > 0) logger.info({ dropped }, 'Deleted expired events')
    },
    onError: err => logger.error({ err }, 'Failed to delete expired events'),
  })
  settings.onChange(() => void task.wake())
  void task.wake()
  return task
}
