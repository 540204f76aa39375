import { ClickHouseError } from '@clickhouse/client'
import { number } from '../../common/rows.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import { StoreUnavailableError } from '../../store.ts'
import { databaseName } from '../sql/database-name.ts'
import { type Connection, connect } from './connection.ts'
import { addDurationColumns, durationColumnDefinitions } from './duration-columns.ts'
import { idIndexDefinitions, replaceIdIndexes } from './id-indexes.ts'
import type { Layout } from './layout.ts'
import { addProjections, dropProjections, projectionDefinitions } from './projections.ts'
import { addSearchIndex, searchIndexDefinition } from './search-indexes.ts'
import type { ServerAddress } from './server-address.ts'
import type { TableUpdate } from './table-update.ts'
import { addTerms, termsColumnDefinition, termsIndexDefinition } from './terms-index.ts'

/** The server's error codes for a database and a table that do not exist. */
const [unknownDatabase, unknownTable] = ['81', '60']

/**
 * How many recent inserts ClickHouse remembers, so that it detects repeated ones. Must exceed the number of inserts that all
 * replicas make within `maxInsertMs`. Replicated tables use a different setting (`Layout.tableSettings`).
 */
const deduplication = sql`non_replicated_deduplication_window = 10000`

/**
 * The statements that create the tables. All of them are idempotent, because several replicas may start at the same time.
 * docs/decisions/0028-clickhouse.md explains the tables.
 */
function createTables({ on, storedEvents, createEvent, engine, tableSettings }: Layout): readonly Sql[] {
  const settings = settingsOf(tableSettings)
  return [
    sql`CREATE TABLE IF NOT EXISTS ${storedEvents} ${on} (
      id Int64 CODEC(Delta, ZSTD),
      time_us Int64 CODEC(Delta, ZSTD),
      severity LowCardinality(String),
      service LowCardinality(String),
      release LowCardinality(Nullable(String)),
      source LowCardinality(String),
      body String CODEC(ZSTD),
      request_id Nullable(String) CODEC(ZSTD),
      trace_id Nullable(String) CODEC(ZSTD),
      span_id Nullable(String) CODEC(ZSTD),
      method LowCardinality(Nullable(String)),
      route LowCardinality(Nullable(String)),
      status Nullable(Int32) CODEC(ZSTD),
      duration_ms Nullable(Float64) CODEC(ZSTD),
      ${join(durationColumnDefinitions, ', ')},
      exception_type LowCardinality(Nullable(String)),
      exception_message Nullable(String) CODEC(ZSTD),
      exception_stack Nullable(String) CODEC(ZSTD),
      digest Nullable(String) CODEC(ZSTD),
      fingerprint LowCardinality(Nullable(String)),
      attributes String CODEC(ZSTD),
      ${termsColumnDefinition},
      request_keys Array(String) CODEC(ZSTD),
      INDEX id_range id TYPE minmax,
      INDEX digest_filter replaceRegexpOne(digest, '@E[0-9]+$', '') TYPE bloom_filter(0.01),
      INDEX fingerprint_filter fingerprint TYPE bloom_filter(0.01),
      ${join([...idIndexDefinitions, searchIndexDefinition, termsIndexDefinition, ...projectionDefinitions], ', ')}
    )
    ENGINE = ${engine('events', 'MergeTree')}
    PARTITION BY intDiv(id, 353894400000)
    ORDER BY (time_us, id)
    ${settingsOf([sql`index_granularity = 2048`, deduplication, ...tableSettings])}`,
    ...createEvent,
    sql`CREATE TABLE IF NOT EXISTS record ${on} (
      collection LowCardinality(String),
      key String,
      value String CODEC(ZSTD),
      version Int64,
      is_deleted UInt8,
      stored_us Int64 DEFAULT toUnixTimestamp64Micro(now64(6)),
      INDEX stored_range stored_us TYPE minmax
    )
    ENGINE = ${engine('other', 'ReplacingMergeTree', ['version', 'is_deleted'])}
    ORDER BY (collection, key) ${settings}`,
    sql`CREATE TABLE IF NOT EXISTS source_map_part ${on} (
      id String,
      part UInt32,
      content_base64 String EPHEMERAL,
      content String DEFAULT base64Decode(content_base64) CODEC(ZSTD)
    )
    ENGINE = ${engine('other', 'ReplacingMergeTree')}
    ORDER BY (id, part) ${settings}`,
    sql`CREATE TABLE IF NOT EXISTS claim ${on} (
      name String,
      owner String,
      is_released UInt8,
      claimed_us Int64 DEFAULT toUnixTimestamp64Micro(now64(6))
    )
    ENGINE = ${engine('other', 'MergeTree')}
    ORDER BY (name, claimed_us)
    TTL toDateTime(intDiv(claimed_us, 1000000)) + INTERVAL 1 DAY ${settings}`,
  ]
}

function settingsOf(settings: readonly Sql[]): Sql {
  return settings.length === 0 ? sql`` : sql`SETTINGS ${join(settings, ', ')}`
}

/** Update the tables from each version to the next. All statements are idempotent, too. */
const updates: readonly ((layout: Layout, address: Pick<ServerAddress, 'cluster'>) => TableUpdate[])[] = [
  layout => [addProjections(layout, ['event_counts', 'newest_ids', 'failures']), addSearchIndex(layout)],
  layout => [
    dropProjections(layout, ['requests_by_service', 'requests_by_route']),
    addProjections(layout, ['occurrences']),
  ],
  layout => [dropProjections(layout, ['durations_by_service'])],
  ({ storedEvents }, { cluster }) =>
    cluster === null ? [{ changes: [sql`ALTER TABLE ${storedEvents} MODIFY SETTING ${deduplication}`] }] : [],
  layout => [addTerms(layout)],
  layout => [
    addDurationColumns(layout),
    dropProjections(layout, ['activity_by_service', 'durations_by_route']),
    addProjections(layout, ['service_activity', 'route_durations']),
  ],
  layout => [replaceIdIndexes(layout)],
]

/** The version of the tables that this version of Sixpane uses. */
export const tablesVersion = updates.length + 1

/**
 * Creates the database and the tables, or updates those of an earlier version.
 * @throws StoreUnavailableError if the tables are from a newer version
 */
export async function prepareTables(address: ServerAddress, connection: Connection): Promise<void> {
  const { layout, execute } = connection
  const stored = await storedVersion(connection)
  const version = stored ?? 0
  if (version > tablesVersion) {
    throw new StoreUnavailableError(
      'The ClickHouse database was written by a newer version of Sixpane: start that version, or use another database',
    )
  }
  // An earlier version may have been interrupted before it stored its version.
  const hasEvents = version > 0 || (stored === 0 && (await hasTable(connection, layout.storedEvents)))
  const lacksTables = version > 0 && (await layout.lacksTables(connection.select))
  if (lacksTables && version < tablesVersion) {
    throw new StoreUnavailableError(
      'A server of the ClickHouse cluster has no tables yet, so the tables cannot be updated: start the previous version of Sixpane once, and then this version',
    )
  }
  const isComplete = version > 0 && !lacksTables
  if (!isComplete) {
    // If the database exists, the user may lack the privilege to create it.
    if (stored === null || address.cluster !== null) await createDatabase(address)
    await execute(sql`CREATE TABLE IF NOT EXISTS schema_version ${layout.on} (version UInt32)
      ENGINE = ${layout.engine('other', 'MergeTree')} ORDER BY version ${settingsOf(layout.tableSettings)}`)
    for (const statement of createTables(layout)) await execute(statement)
  }
  const needed = hasEvents ? updates.slice(Math.max(version, 1) - 1) : []
  const applied = needed.flatMap(update => update(layout, address))
  // The changes come first, because some of them would wait until ClickHouse has filled everything.
  for (const statement of applied.flatMap(({ changes }) => changes)) await execute(statement)
  for (const statement of applied.flatMap(({ fills = [] }) => fills)) await execute(statement)
  if (version < tablesVersion) await connection.insert('schema_version', ['version'], [[tablesVersion]])
}

/** The version of the stored tables; 0 if there are none, and `null` if there is no database. */
async function storedVersion({ select }: Pick<Connection, 'select'>): Promise<number | null> {
  try {
    const [row] = await select(sql`SELECT max(version) AS version FROM schema_version`)
    return number(row?.version)
  } catch (error) {
    if (!(error instanceof ClickHouseError)) throw error
    if (error.code === unknownDatabase) return null
    if (error.code === unknownTable) return 0
    throw error
  }
}

async function hasTable({ select }: Pick<Connection, 'select'>, table: Sql): Promise<boolean> {
  const [row] = await select(sql`EXISTS TABLE ${table}`)
  return number(row?.result) === 1
}

async function createDatabase(address: ServerAddress): Promise<void> {
  const connection = connect({ ...address, database: 'default' })
  try {
    await connection.execute(
      sql`CREATE DATABASE IF NOT EXISTS ${databaseName(address.database)} ${connection.layout.on}`,
    )
  } finally {
    await connection.close()
  }
}
