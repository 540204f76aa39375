import { parseServerAddress, type ServerAddress } from '../store/clickhouse/engine/server-address.ts'
import type { Parsed } from './parsers.ts'

/**
 * Parses the store's address. Returns `null` for the data folder. Problems do not quote the address, because it contains a
 * password.
 */
export function parseStore(text: string): Parsed<ServerAddress | null> {
  if (text.trim() === '') return { value: null }
  const address = parseServerAddress(text)
  if (address !== null) return { value: Object.freeze(address) }
  const isClickHouse = /^\s*clickhouse:/i.test(text)
  return {
    problem: isClickHouse
      ? 'must be an address such as clickhouse://user:password@host:8443/database. Percent-encode special characters in the user and password: %2F instead of /'
      : 'must be an address such as clickhouse://user:password@host:8443/database. For a folder, set SIXPANE_DATA instead',
  }
}

/** Describes the store without credentials. */
export function describeStore(address: ServerAddress | null): string {
  if (address === null) return 'DuckDB'
  return `ClickHouse at ${new URL(address.url).host}, database ${address.database}`
}
