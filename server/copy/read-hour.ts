import type { LogEvent } from '../../shared/event.ts'
import type { IdRange } from '../store/common/accepted-hour.ts'
import { QueryLimitError, type Store } from '../store/store.ts'
import { createDigest, type Digest } from './digest.ts'

export type Reads = Pick<Store, 'pageEnds' | 'eventsInIds'>

/** Limits the memory for events. An event can be half a megabyte long. */
const pageEvents = 1000
/** One query reads several pages of short events, because each query has overhead. */
const [maxPages, maxLength] = [10, 4 * 1024 * 1024]
const maxBatchEvents = 10_000
const maxBatchLength = 16 * 1024 * 1024

/** Reads events in the order of their ids. Reads the next page while the caller uses the current one. */
export async function* readPages(
  { pageEnds, eventsInIds }: Reads,
  ids: IdRange,
  signal: AbortSignal,
): AsyncGenerator<LogEvent[]> {
  const ends = [...(await pageEnds(ids, pageEvents, signal)), ids.upToId]
  let { afterId } = ids
  let index = 0
  const read = (pages: number) => {
    index = Math.min(index + pages, ends.length)
    const upToId = ends[index - 1] ?? ids.upToId
    const events = readParts(eventsInIds, { afterId, upToId }, signal)
    // Prevents an unhandled rejection. The error is reported when the page is awaited.
    events.catch(() => {})
    afterId = upToId
    return events
  }
  for (let next = read(1); ; ) {
    const page = await next
    const isLast = index === ends.length
    if (!isLast) next = read(pagesLike(page))
    yield page
    if (isLast) return
  }
}

/** Reads events in as many queries as the store's limits require. */
async function readParts(
  eventsInIds: Reads['eventsInIds'],
  ids: IdRange,
  signal: AbortSignal,
): Promise<LogEvent[]> {
  try {
    return await eventsInIds(ids, signal)
  } catch (error) {
    const { afterId, upToId } = ids
    if (!(error instanceof QueryLimitError) || upToId - afterId <= 1) throw error
    const middleId = afterId + Math.floor((upToId - afterId) / 2)
    const first = await readParts(eventsInIds, { afterId, upToId: middleId }, signal)
    return [...first, ...(await readParts(eventsInIds, { afterId: middleId, upToId }, signal))]
  }
}

/** The number of pages to read in one query if their events are as long as these. */
function pagesLike(events: readonly LogEvent[]): number {
  const averageLength = lengthOf(events) / Math.max(events.length, 1)
  return Math.max(1, Math.min(maxPages, Math.floor(maxLength / (averageLength * pageEvents))))
}

/** Like `readPages`, but in batches for `importEvents`. Batches are the same in each run, unless the events change. */
export async function* readBatches(
  store: Reads,
  ids: IdRange,
  signal: AbortSignal,
): AsyncGenerator<LogEvent[]> {
  let batch: LogEvent[] = []
  let length = 0
  for await (const page of readPages(store, ids, signal)) {
    batch.push(...page)
    length += lengthOf(page)
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

/**
 * Estimates the length of the events. Measures the attributes of every hundredth event only, because measuring all
 * attributes takes as long as reading them.
 */
function lengthOf(events: readonly LogEvent[]): number {
  const measured = events.filter((_, index) => index % 100 === 0)
  const attributesLength = measured.reduce(
    (sum, { attributes }) => sum + JSON.stringify(attributes).length,
    0,
  )
  return events.reduce(
    (sum, { body, exception }) => sum + 400 + body.length + (exception?.stack?.length ?? 0),
    (attributesLength * events.length) / Math.max(measured.length, 1),
  )
}
