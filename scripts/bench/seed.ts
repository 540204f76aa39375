/**
 * Fills a store with synthetic events from the last week: `seed.js <folder> <count> [file]`. Also writes the events
 * to a single table in the DuckDB file that the optional third argument names.
 */
import { DuckDBInstance } from '@duckdb/node-api'
import { fillStore } from './fill-store.ts'
import { appendColumns, createPlainTable, toColumns } from './plain-table.ts'

const [folder = '', count = '', tableFile] = process.argv.slice(2)

if (tableFile === undefined) await fillStore(folder, Number(count))
else {
  const instance = await DuckDBInstance.create(tableFile)
  const connection = await instance.connect()
  await createPlainTable(connection)
  await fillStore(folder, Number(count), events => appendColumns(connection, toColumns(events)))
  connection.closeSync()
  instance.closeSync()
}
