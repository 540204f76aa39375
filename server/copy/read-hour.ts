import type { LogEvent } from '../../shared/event.ts'
import type { IdRange } from '../store/common/accepted-hour.ts'
import type { Store } from '../store/store.ts'
import { createDigest, type Digest } from './digest.ts'

export type Reads = Pick<Store, 'pageEnds' | 'eventsInIds'>

/** Limits the events in memory. One event has at most half a megabyte. */
const pageEvents = 1000
const maxBatchEvents = 10_000
const maxBatchLength = 16 * 1024 * 1024

/** Reads events in the order of their ids. Reads the next page while the caller uses the current one. */
export async function* readPages(
  { pageEnds, eventsInIds }: Reads,
  ids: IdRange,
  signal: AbortSignal,
): AsyncGenerator<LogEvent[]> {
  const ends = new Set([...(await pageEnds(ids, pageEvents, signal)), ids.upToId])
  let { afterId } = ids
  let next: Promise<LogEvent[]> = Promise.resolve([])
  for (const upToId of ends) {
    const page = next
    next = eventsInIds({ afterId, upToId }, signal)
    // Reported when the page is awaited.
    next.catch(() => {})
    afterId = upToId
    yield await page
  }
  yield await next
}

/** Like `readPages`, in batches for `importEvents`. Batches are the same in each run, unless the events change. */
export async function* readBatches(
  store: Reads,
  ids: IdRange,
  signal: AbortSignal,
): AsyncGenerator<LogEvent[]> {
  let batch: LogEvent[] = []
  let length = 0
  for await (const page of readPages(store, ids, signal)) {
    batch.push(...page)
    length += page.reduce((sum, event) => sum + lengthOf(event), 0)
    if (batch.length < maxBatchEvents && length < maxBatchLength) continue
    yield batch
    batch = []
    length = 0
  }
  if (batch.length > 0) yield batch
}

export async function digestOf(store: Reads, ids: IdRange, signal: AbortSignal): Promise<Digest> {
  const digest = createDigest()
  for await (const page of readPages(store, ids, signal)) for (const event of page) digest.add(event)
  return digest.result()
}

/** The approximate length of the text. Attributes are usually short, or as long as the rest. */
function lengthOf({ body, exception }: LogEvent): number {
  return 500 + body.length + (exception?.stack?.length ?? 0)
}
