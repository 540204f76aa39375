import type { LogEvent, NewEvent } from '../../shared/event.ts'
import type { Logger } from '../logger.ts'
import { createOutageLog } from '../outage-log.ts'
import type { Store } from '../store/store.ts'

/** The events of a request, or one self-log event: a line of Sixpane's own log. */
export type Entry = { events: readonly NewEvent[]; sizeBytes: number; request?: WaitingRequest }
type WaitingRequest = { key: string | undefined; resolve: () => void; reject: (reason: unknown) => void }

/**
 * Returns a function that stores a batch, and resolves or rejects its requests. The function's promise never rejects.
 * @param options.onStored called with the stored events after their requests are resolved
 * @param options.onFailed called with the events of a batch that could not be stored
 */
export function createBatchCommit({
  store,
  logger,
  onStored,
  onFailed,
}: {
  store: Pick<Store, 'append' | 'claimRequests'>
  logger: Pick<Logger, 'error' | 'info'>
  onStored: (events: readonly LogEvent[]) => void
  onFailed: (events: readonly NewEvent[]) => void
}): (batch: readonly Entry[]) => Promise<void> {
  const outage = createOutageLog(logger, { start: 'Failed to store events', end: 'Resumed storing events' })

  return async batch => {
    let stored: LogEvent[]
    try {
      const claimed = await claim(batch, store)
      if (claimed.length === 0) return
      stored = await store.append(
        claimed.flatMap(({ events }) => events),
        claimed.flatMap(({ request }) => request?.key ?? []),
      )
    } catch (err) {
      const events = batch.flatMap(({ events }) => events)
      outage.failed(err, { events: events.length })
      onFailed(events)
      for (const { request } of batch) request?.reject(err)
      return
    }
    outage.succeeded()
    for (const { request } of batch) request?.resolve()
    onStored(stored)
  }
}

/** Claims the requests that have keys, and settles those that cannot be claimed. Returns the entries to store. */
async function claim(
  batch: readonly Entry[],
  store: Pick<Store, 'claimRequests'>,
): Promise<readonly Entry[]> {
  const keys = batch.flatMap(({ request }) => request?.key ?? [])
  if (keys.length === 0) return batch
  const claims = await store.claimRequests(keys)
  const byKey = new Map(keys.map((key, index) => [key, claims[index]]))
  return batch.filter(({ request }) => {
    const claim = request?.key === undefined ? 'new' : byKey.get(request.key)
    if (claim === 'stored') request?.resolve()
    if (claim === 'busy') request?.reject(new Error('Another replica may be storing the same request'))
    return claim === 'new'
  })
}
