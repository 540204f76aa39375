import {
  BIGINT,
  BLOB,
  BOOLEAN,
  DOUBLE,
  DuckDBBlobValue,
  type DuckDBType,
  type DuckDBValue,
  VARCHAR,
} from '@duckdb/node-api'
import type { Sql, Value } from '../../common/sql.ts'

/** The statement in the engine's format: text with numbered parameters, values, and the type of each value. */
export function statement({ texts, values }: Pick<Sql, 'texts' | 'values'>): {
  text: string
  values: DuckDBValue[]
  types: DuckDBType[]
} {
  const text = texts.reduce((all, part, index) => (index === 0 ? part : `${all}$${index}${part}`), '')
  const bound = values.map(value => (value instanceof Uint8Array ? new DuckDBBlobValue(value) : value))
  return { text, values: bound, types: values.map(typeOf) }
}

function typeOf(value: Value): DuckDBType {
  if (value instanceof Uint8Array) return BLOB
  if (typeof value === 'string' || value === null) return VARCHAR
  if (typeof value === 'boolean') return BOOLEAN
  // The library would choose INTEGER or BIGINT depending on the number's size.
  return Number.isSafeInteger(value) ? BIGINT : DOUBLE
}
