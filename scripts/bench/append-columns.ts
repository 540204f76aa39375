import { DuckDBInstance } from '@duckdb/node-api'
import { appendColumns, createPlainTable, toColumns } from './plain-table.ts'
import { createSyntheticEvents } from './synthetic-events.ts'

/** The number of events in a commit, as in Sixpane when eight clients send a thousand lines each. */
const commitEvents = 8000

/** Opens a DuckDB file. `append` writes the same prepared columns in each commit, and returns the number of rows. */
export async function openColumnAppender(
  file: string,
): Promise<{ append: (commits: number) => Promise<number>; close: () => void }> {
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  await createPlainTable(connection)
  const createEvent = createSyntheticEvents(commitEvents, Date.now())
  const columns = toColumns(Array.from({ length: commitEvents }, (_, index) => createEvent(index)))
  return {
    async append(commits) {
      for (let commit = 0; commit < commits; commit += 1) await appendColumns(connection, columns)
      return commits * commitEvents
    },
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}
