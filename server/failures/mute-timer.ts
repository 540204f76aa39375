import type { BackgroundTask } from '../background-task.ts'
import { createLeaderTask } from '../leader-task.ts'
import type { Logger } from '../logger.ts'
import type { FailureStates } from '../store/failure-store.ts'
import type { Store } from '../store/store.ts'

const everyMs = 60_000

/** Reopens failures whose mute has ended, now and every minute. */
export function startMuteTimer({
  store,
  logger,
}: {
  store: Pick<Store, 'replicas'> & { failureStates: Pick<FailureStates, 'reopenDue'> }
  logger: Pick<Logger, 'error'>
}): Pick<BackgroundTask, 'stop'> {
  const task = createLeaderTask({
    replicas: store.replicas,
    everyMs,
    run: () => store.failureStates.reopenDue(Date.now()),
    onError: err => logger.error({ err }, 'Failed to reopen muted failures'),
  })
  void task.wake()
  return task
}
