import type { Events } from '../events/events.ts'
import { withinDeadline } from '../store/within-deadline.ts'
import type { Collected } from './collect-events.ts'

/**
 * Stores all or none of the events of one request. Resolves when they are durable.
 * @param deadlineMs the maximum time to wait for the store, so that clients do not wait for a store that hangs
 * @throws QueueFullError if the queue is full, the store's error, or SlowStoreError after the deadline
 */
export async function storeEvents(
  { events, sizeBytes, rejected, ignored }: Pick<Collected, 'events' | 'sizeBytes' | 'rejected' | 'ignored'>,
  requestKey: string | undefined,
  queue: Pick<Events, 'accept' | 'countRejected' | 'countIgnored'>,
  deadlineMs: number,
): Promise<void> {
  await withinDeadline(queue.accept(events, sizeBytes, requestKey), deadlineMs)
  queue.countRejected(rejected)
  for (const { kind, count } of ignored) queue.countIgnored(kind, count)
}
