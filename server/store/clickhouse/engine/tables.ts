import { number } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import { StoreUnavailableError } from '../../store.ts'
import type { Connection } from './connection.ts'

/**
 * The statements that create each version of the tables. Each of them has no effect if it is repeated, because several
 * replicas may start at the same time. docs/decisions/0028-clickhouse.md explains the tables.
 */
const migrations: readonly (readonly Sql[])[] = [
  [
    sql`CREATE TABLE IF NOT EXISTS event (
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
      exception_type LowCardinality(Nullable(String)),
      exception_message Nullable(String) CODEC(ZSTD),
      exception_stack Nullable(String) CODEC(ZSTD),
      digest Nullable(String) CODEC(ZSTD),
      fingerprint LowCardinality(Nullable(String)),
      attributes String CODEC(ZSTD),
      request_keys Array(String) CODEC(ZSTD),
      INDEX id_range id TYPE minmax,
      INDEX body_text lowerUTF8(body) TYPE text(tokenizer = ngrams(3)),
      INDEX request_id_filter lowerUTF8(request_id) TYPE bloom_filter(0.01),
      INDEX trace_id_filter lowerUTF8(trace_id) TYPE bloom_filter(0.01),
      INDEX digest_filter replaceRegexpOne(digest, '@E[0-9]+$', '') TYPE bloom_filter(0.01),
      INDEX fingerprint_filter fingerprint TYPE bloom_filter(0.01)
    )
    ENGINE = MergeTree
    PARTITION BY intDiv(id, 353894400000)
    ORDER BY (time_us, id)
    SETTINGS non_replicated_deduplication_window = 1000`,
    sql`CREATE TABLE IF NOT EXISTS record (
      collection LowCardinality(String),
      key String,
      value String CODEC(ZSTD),
      version Int64,
      is_deleted UInt8,
      stored_us Int64 DEFAULT toUnixTimestamp64Micro(now64(6)),
      INDEX stored_range stored_us TYPE minmax
    )
    ENGINE = ReplacingMergeTree(version, is_deleted)
    ORDER BY (collection, key)`,
    sql`CREATE TABLE IF NOT EXISTS source_map_part (
      id String,
      part UInt32,
      content_base64 String EPHEMERAL,
      content String DEFAULT base64Decode(content_base64) CODEC(ZSTD)
    )
    ENGINE = ReplacingMergeTree
    ORDER BY (id, part)`,
    sql`CREATE TABLE IF NOT EXISTS claim (
      name String,
      owner String,
      is_released UInt8,
      claimed_us Int64 DEFAULT toUnixTimestamp64Micro(now64(6))
    )
    ENGINE = MergeTree
    ORDER BY (name, claimed_us)
    TTL toDateTime(intDiv(claimed_us, 1000000)) + INTERVAL 1 DAY`,
  ],
]

/** The version of the tables that this version of Sixpane uses. */
export const tablesVersion = migrations.length

/**
 * Creates the tables, or updates those of an earlier version.
 * @throws StoreUnavailableError if the tables are from a newer version
 */
export async function migrate({ select, execute, insert }: Connection): Promise<void> {
  await execute(
    sql`CREATE TABLE IF NOT EXISTS schema_version (version UInt32) ENGINE = MergeTree ORDER BY version`,
  )
  const [row] = await select(sql`SELECT max(version) AS version FROM schema_version`)
  const version = number(row?.version)
  if (version > migrations.length) {
    throw new StoreUnavailableError(
      'The ClickHouse database was written by a newer version of Sixpane: start that version, or use another database',
    )
  }
  for (const [index, statements] of migrations.entries()) {
    if (index < version) continue
    for (const each of statements) await execute(each)
    await insert('schema_version', ['version'], [[index + 1]])
  }
}
