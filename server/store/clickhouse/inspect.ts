import { ClickHouseError } from '@clickhouse/client'
import { number, numberOrNull, type Row, text } from '../common/rows.ts'
import { type Sql, sql } from '../common/sql.ts'
import { acceptedMs } from '../common/time.ts'
import { StoreUnavailableError } from '../store.ts'
import { layoutOf } from './engine/cluster.ts'
import { type Connection, connect } from './engine/connection.ts'
import type { ServerAddress } from './engine/server-address.ts'
import { tablesVersion } from './engine/tables.ts'
import { databaseName } from './sql/database-name.ts'

const timeoutMs = 10_000

/** The server's error code for a missing privilege. */
const accessDenied = '497'

/** The first version that Sixpane supports. */
const [neededMajor, neededMinor] = [26, 2]

export type ServerInspection = {
  version: string
  /** The time of the query according to the server's clock (`serverMs`) and, as an estimate, this machine's clock (`requestedMs`). */
  serverMs: number
  requestedMs: number
  hasDatabase: boolean
  /** The required privileges that the user lacks in the database. */
  missingPrivileges: readonly string[]
  /** The privileges on `*.*` that a cluster requires and the user lacks. */
  missingClusterPrivileges: readonly string[]
  /** The free space on the server's disks. `null` if the user may not see it, or the storage has no limit. */
  freeBytes: number | null
  /** `null` if Sixpane has not created its tables yet. */
  tables: TablesInspection | null
}

export type TablesInspection = {
  isNewer: boolean
  events: number
  /** The disk space that the events use. `null` if the user may not read it; retention then does not work. */
  eventBytes: number | null
  newestAcceptedMs: number | null
  /** This machine's time after the newest event was read. Many queries run between `requestedMs` and this time. */
  readMs: number
  webhooks: { name: string; url: string }[]
  /** The settings that users changed. */
  settings: { name: string; value: string }[]
}

/**
 * Reads the state of the server and the database, without changing anything.
 * @throws StoreUnavailableError if the server cannot be reached, is too old, or reports an error
 */
export async function inspectClickHouse(
  address: ServerAddress,
  nowMs: () => number,
): Promise<ServerInspection> {
  // Every server has this database. The configured one may not exist yet.
  const connection = connect({ ...address, database: 'system' })
  try {
    const server = withLimit(connection, address)
    const { select } = server
    const beforeMs = nowMs()
    const [clock] = await select(sql`SELECT version() AS version, toUnixTimestamp64Milli(now64(3)) AS now_ms`)
    const requestedMs = (beforeMs + nowMs()) / 2
    const version = text(clock?.version)
    checkVersion(version)
    const tables = await select(sql`SELECT name FROM system.tables WHERE database = ${address.database}`)
    const hasTables = tables.some(row => row.name === 'schema_version')
    const [database] = await select(sql`SELECT name FROM system.databases WHERE name = ${address.database}`)
    const hasDatabase = database !== undefined
    return {
      version,
      serverMs: number(clock?.now_ms),
      requestedMs,
      hasDatabase,
      missingPrivileges: await missingPrivileges(server, address, hasDatabase),
      missingClusterPrivileges: address.cluster === null ? [] : await missingOf(server, clusterPrivileges),
      freeBytes: await ifAllowed(() => freeBytes(select)),
      tables: hasTables ? await inspectTables(select, address, nowMs) : null,
    }
  } catch (error) {
    if (!(error instanceof ClickHouseError)) throw error
    throw new StoreUnavailableError(`ClickHouse reported an error: ${error.message.split('\n', 1)[0]}`)
  } finally {
    await connection.close()
  }
}

/** @throws StoreUnavailableError if the version is too old */
function checkVersion(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return
  const needed = `${neededMajor}.${neededMinor}`
  throw new StoreUnavailableError(
    `ClickHouse is version ${version}, but Sixpane needs ${needed} or later: update ClickHouse`,
  )
}

type Server = { select(query: Sql): Promise<Row[]>; readText(command: Sql): Promise<string> }
type Select = Server['select']

/** Adds a time limit to each statement, because the client would wait a minute for a server that does not respond. */
function withLimit(connection: Pick<Connection, 'select' | 'readText'>, { url }: ServerAddress): Server {
  const within = async <Result>(ask: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      return await ask(signal)
    } catch (error) {
      if (!signal.aborted) throw error
      const problem = `ClickHouse at ${url} did not respond within ${timeoutMs / 1000} seconds`
      throw new StoreUnavailableError(`${problem}: check SIXPANE_STORE, the server and the firewall`)
    }
  }
  return {
    select: query => within(signal => connection.select(query, signal)),
    readText: command => within(signal => connection.readText(command, signal)),
  }
}

async function missingPrivileges(
  server: Server,
  { database }: ServerAddress,
  exists: boolean,
): Promise<string[]> {
  const everything = sql`ON ${databaseName(database)}.*`
  return missingOf(server, {
    ...(!exists && { 'CREATE DATABASE': sql`CHECK GRANT CREATE DATABASE ${everything}` }),
    'CREATE TABLE': sql`CHECK GRANT CREATE TABLE ${everything}`,
    SELECT: sql`CHECK GRANT SELECT ${everything}`,
    INSERT: sql`CHECK GRANT INSERT ${everything}`,
    'ALTER UPDATE': sql`CHECK GRANT ALTER UPDATE ${everything}`,
    'ALTER DELETE': sql`CHECK GRANT ALTER DELETE ${everything}`,
    'ALTER COLUMN': sql`CHECK GRANT ALTER COLUMN ${everything}`,
    'ALTER INDEX': sql`CHECK GRANT ALTER INDEX ${everything}`,
    'ALTER PROJECTION': sql`CHECK GRANT ALTER PROJECTION ${everything}`,
    'ALTER SETTINGS': sql`CHECK GRANT ALTER SETTINGS ${everything}`,
  })
}

const clusterPrivileges: Readonly<Record<string, Sql>> = {
  CLUSTER: sql`CHECK GRANT CLUSTER ON *.*`,
  REMOTE: sql`CHECK GRANT REMOTE ON *.*`,
}

async function missingOf({ readText }: Server, checks: Readonly<Record<string, Sql>>): Promise<string[]> {
  const missing: string[] = []
  for (const [privilege, check] of Object.entries(checks)) {
    if ((await readText(check)).trim() === '0') missing.push(privilege)
  }
  return missing
}

async function freeBytes(select: Select): Promise<number | null> {
  const [row] = await select(sql`
    SELECT max(is_remote) AS is_remote, toFloat64(sum(unreserved_space)) AS free_bytes
    FROM system.disks WHERE NOT is_read_only AND NOT is_broken`)
  return number(row?.is_remote) === 1 ? null : number(row?.free_bytes)
}

async function inspectTables(
  select: Select,
  address: ServerAddress,
  nowMs: () => number,
): Promise<TablesInspection> {
  const tables = databaseName(address.database)
  const [layout] = await select(sql`SELECT max(version) AS version FROM ${tables}.schema_version`)
  if (number(layout?.version) > tablesVersion)
    return {
      isNewer: true,
      events: 0,
      eventBytes: null,
      newestAcceptedMs: null,
      readMs: nowMs(),
      webhooks: [],
      settings: [],
    }
  const [events] = await select(sql`
    SELECT count() AS events, maxOrNull(id) AS newest_id FROM ${tables}.event`)
  const readMs = nowMs()
  const newestId = numberOrNull(events?.newest_id)
  return {
    isNewer: false,
    events: number(events?.events),
    eventBytes: await ifAllowed(async () => {
      const [row] = await select(sql`SELECT sum(bytes_on_disk) AS bytes ${layoutOf(address).parts}`)
      return number(row?.bytes)
    }),
    newestAcceptedMs: newestId === null ? null : acceptedMs(newestId),
    readMs,
    webhooks: await webhooks(select, tables),
    settings: await settings(select, tables),
  }
}

async function webhooks(select: Select, tables: Sql): Promise<TablesInspection['webhooks']> {
  const rows = await select(sql`
    SELECT JSONExtractString(value, 'name') AS name, JSONExtractString(value, 'url') AS url
    FROM ${tables}.record FINAL WHERE collection = 'webhooks' AND is_deleted = 0 ORDER BY name`)
  return rows.map(row => ({ name: text(row.name), url: text(row.url) }))
}

async function settings(select: Select, tables: Sql): Promise<TablesInspection['settings']> {
  const rows = await select(sql`
    SELECT JSONExtractString(value, 'name') AS name, JSONExtractString(value, 'value') AS setting_value
    FROM ${tables}.record FINAL WHERE collection = 'settings' AND is_deleted = 0`)
  return rows.map(row => ({ name: text(row.name), value: text(row.setting_value) }))
}

/** Returns `null` if the user may not read a system table. */
async function ifAllowed<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read()
  } catch (error) {
    const cause = error instanceof StoreUnavailableError ? error.cause : null
    if (cause instanceof ClickHouseError && cause.code === accessDenied) return null
    throw error
  }
}
