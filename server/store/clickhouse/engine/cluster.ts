import { createHash } from 'node:crypto'
import type { ClickHouseSettings } from '@clickhouse/client'
import { number } from '../../common/rows.ts'
import { join, name, sql } from '../../common/sql.ts'
import { StoreUnavailableError } from '../../store.ts'
import { verbatim } from '../sql/verbatim.ts'
import { type Layout, type Select, singleServer } from './layout.ts'

export type Cluster = {
  name: string
  /** How many servers must store rows before an insert is acknowledged. `auto` is the majority. */
  quorum: 'auto' | number
}

/** Shorter than the time limit for an insert (`maxInsertMs`), so that the server can report a missing quorum. */
const quorumTimeoutMs = 15_000
/** Shorter than the client's request timeout. */
const maxChangeSeconds = 50

/** Reads the parameters of an address. `null` if there is no cluster; `undefined` if the parameters are invalid. */
export function parseCluster(cluster: string | null, quorum: string | null): Cluster | null | undefined {
  if (cluster === null) return quorum === null ? null : undefined
  if (!/^[a-zA-Z0-9_.-]+$/.test(cluster)) return undefined
  if (quorum === null || quorum === 'auto') return { name: cluster, quorum: 'auto' }
  return /^([2-9]|[1-9]\d)$/.test(quorum) ? { name: cluster, quorum: Number(quorum) } : undefined
}

export function layoutOf({ database, cluster }: { database: string; cluster: Cluster | null }): Layout {
  return cluster === null ? singleServer(database) : clusterLayout(cluster, database)
}

/**
 * Events are divided among the shards, and each server in a shard has a replica of the shard's events. All other tables are
 * replicated to every server. docs/decisions/0028-clickhouse.md explains the settings.
 */
function clusterLayout(cluster: Cluster, database: string): Layout {
  const clusterName = sql`'${verbatim(cluster.name)}'`
  const on = sql`ON CLUSTER \`${verbatim(cluster.name)}\``
  const path = sql`/clickhouse/tables/${verbatim(cluster.name)}/{database}/{table}`
  const inserts: ClickHouseSettings = {
    insert_quorum: String(cluster.quorum),
    insert_quorum_parallel: 0,
    insert_quorum_timeout: quorumTimeoutMs,
  }
  let shards: Promise<number> | null = null

  return {
    on,
    storedEvents: sql`event_local`,
    createEvent: [
      sql`CREATE TABLE IF NOT EXISTS event ${on} AS event_local
        ENGINE = Distributed(${clusterName}, '${verbatim(database)}', 'event_local')`,
    ],
    parts: sql`FROM cluster(${clusterName}, system.parts)
      WHERE active AND database = ${database} AND table = 'event_local'`,
    engine(kind, family, columns = []) {
      // Servers in different shards may have the same name.
      const [folder, replica] =
        kind === 'events' ? [sql`/{shard}`, sql`{replica}`] : [sql``, sql`{shard}-{replica}`]
      const parameters = [sql`'${path}${folder}'`, sql`'${replica}'`, ...columns.map(name)]
      return sql`Replicated${verbatim(family)}(${join(parameters, ', ')})`
    },
    tableSettings: [
      sql`replicated_deduplication_window = 10000`,
      // Otherwise, ClickHouse removes parts that `select_sequential_consistency` needs, and queries fail with error 289.
      sql`remove_empty_parts = 0`,
    ],
    querySettings: {
      select_sequential_consistency: '1',
      // If this server has not received all rows, a retried query goes to another server.
      prefer_localhost_replica: 0,
      distributed_product_mode: 'global',
    },
    changeSettings: {
      distributed_ddl_task_timeout: String(maxChangeSeconds),
      // Otherwise, the status could be sent before another server reports an error.
      wait_end_of_query: 1,
    },
    async insertSettings(table, token, select) {
      if (table !== 'event') return inserts
      shards ??= countShards(cluster.name, select).catch(error => {
        shards = null
        throw error
      })
      // The whole batch goes to one shard, so that it is stored atomically, and a repeated insert is recognised.
      const shard = 1 + (hash(token ?? '') % (await shards))
      return { ...inserts, distributed_foreground_insert: 1, insert_shard_id: String(shard) }
    },
    async lacksTables(select) {
      const [row] = await select(sql`
        SELECT count() < (SELECT count() FROM clusterAllReplicas(${clusterName}, system.one)) AS lacks_tables
        FROM clusterAllReplicas(${clusterName}, system.tables) WHERE database = ${database} AND name = 'claim'
        SETTINGS skip_unavailable_shards = 1`)
      return number(row?.lacks_tables) === 1
    },
  }
}

async function countShards(cluster: string, select: Select): Promise<number> {
  const [row] = await select(
    sql`SELECT max(shard_num) AS shards FROM system.clusters WHERE cluster = ${cluster}`,
  )
  const shards = number(row?.shards)
  if (shards === 0)
    throw new StoreUnavailableError(`The cluster ${cluster} in SIXPANE_STORE is not defined in ClickHouse`)
  return shards
}

function hash(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE()
}
