import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { layoutOf } from './cluster.ts'
import type { Layout } from './layout.ts'
import type { ServerAddress } from './server-address.ts'

/** A server or a cluster, and the client that sends statements to it. */
export type Server = {
  client: ClickHouseClient
  layout: Layout
  /** The address without the password, for error messages. */
  url: string
}

export function openServer(address: ServerAddress): Server {
  const { url, database, user, password } = address
  const client = createClient({
    url,
    database,
    username: user,
    password,
    request_timeout: 65_000,
    // With the default of 10, slow queries would delay inserts and claims. The server has its own limit.
    max_open_connections: 1000,
    application: 'sixpane',
    // Otherwise, the client logs statements, which may contain secrets. Callers receive all errors.
    log: { level: ClickHouseLogLevel.OFF },
  })
  return { client, layout: layoutOf(address), url }
}
