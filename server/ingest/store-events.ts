import type { Events } from '../events/events.ts'
import type { Collected } from './collect-events.ts'

/**
 * Stores all or none of the events of one request or message. Resolves when they are durable.
 * @throws QueueFullError or the store's error if nothing was stored
 */
export async function storeEvents(
  { events, sizeBytes, rejected, ignored }: Pick<Collected, 'events' | 'sizeBytes' | 'rejected' | 'ignored'>,
  requestKey: string | undefined,
  queue: Pick<Events, 'accept' | 'countRejected' | 'countIgnored'>,
): Promise<void> {
  await queue.accept(events, sizeBytes, requestKey)
  queue.countRejected(rejected)
  for (const { kind, count } of ignored) queue.countIgnored(kind, count)
}
