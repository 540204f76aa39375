import { DuckDBListValue } from '@duckdb/node-api'

/** @throws TypeError if the value is not a list */
export function listItems(value: unknown): readonly unknown[] {
  if (!(value instanceof DuckDBListValue)) throw new TypeError('Expected a list from the engine')
  return value.items
}
