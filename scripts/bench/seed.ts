/**
 * Fills a store with synthetic events from the last week: `seed.js <folder> <count> [file]`. Also writes the events
 * to a single table of the DuckDB file in the optional third argument.
 */
import { DuckDBInstance } from '@duckdb/node-api'
import { openDatabase } from '../../server/store/duckdb/engine/database.ts'
import { createFilterTask } from '../../server/store/duckdb/filters/filter-task.ts'
import { openDuckDbStore } from '../../server/store/duckdb/store.ts'
import { appendColumns, createPlainTable, toColumns } from './plain-table.ts'
import { createSyntheticEvents } from './synthetic-events.ts'

const [folder = '', count = '', tableFile = ':memory:'] = process.argv.slice(2)
const total = Number(count)
const batch = 20_000

const store = await openDuckDbStore({ folder })
const instance = await DuckDBInstance.create(tableFile)
const connection = await instance.connect()
await createPlainTable(connection)
const createEvent = createSyntheticEvents(total, Date.now())
for (let index = 0; index < total; index += batch) {
  const size = Math.min(batch, total - index)
  const events = Array.from({ length: size }, (_, offset) => createEvent(index + offset))
  await store.append(events)
  if (tableFile !== ':memory:') await appendColumns(connection, toColumns(events))
}
await store.close()
connection.closeSync()
instance.closeSync()
await buildFilters()

/** Builds the search filters, as a running server does in the background while events arrive. */
async function buildFilters(): Promise<void> {
  const database = await openDatabase(folder, { memoryBytes: null, nowMs: Date.now, logger: undefined })
  const task = createFilterTask(database, undefined)
  await task.wake()
  await task.stop()
  await database.close()
}
