import { openDatabase } from '../../server/store/duckdb/engine/database.ts'
import { createSummaryTask } from '../../server/store/duckdb/engine/summary-task.ts'
import { createFilterTask } from '../../server/store/duckdb/filters/filter-task.ts'
import { openDuckDbStore } from '../../server/store/duckdb/store.ts'
import type { NewEvent } from '../../shared/event.ts'
import { createSyntheticEvents } from './synthetic-events.ts'

const batch = 20_000

/**
 * Fills a store with `total` synthetic events from the last week.
 * @param onStored called with each batch
 */
export async function fillStore(
  folder: string,
  total: number,
  onStored: (events: readonly NewEvent[]) => Promise<void> = async () => {},
): Promise<void> {
  const store = await openDuckDbStore({ folder })
  const createEvent = createSyntheticEvents(total, Date.now())
  for (let index = 0; index < total; index += batch) {
    const size = Math.min(batch, total - index)
    const events = Array.from({ length: size }, (_, offset) => createEvent(index + offset))
    await store.append(events)
    await onStored(events)
  }
  await store.close()
  await prepareSegments(folder)
}

/** Stores search filters and summaries, as a running server does in the background while events arrive. */
async function prepareSegments(folder: string): Promise<void> {
  const database = await openDatabase(folder, { memoryBytes: null, nowMs: Date.now, logger: undefined })
  for (const create of [createFilterTask, createSummaryTask]) {
    const task = create(database, Date.now, undefined)
    await task.wake()
    await task.stop()
  }
  await database.close()
}
