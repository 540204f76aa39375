import type { ClickHouseSettings } from '@clickhouse/client'
import type { Row } from '../../common/rows.ts'
import { join, name, type Sql, sql } from '../../common/sql.ts'
import { verbatim } from '../sql/verbatim.ts'

export type Select = (query: Sql) => Promise<Row[]>
export type Family = 'MergeTree' | 'ReplacingMergeTree'

/** The differences between a single server and a cluster. */
export type Layout = {
  /** `ON CLUSTER …`, or empty. Follows the name in DDL statements. */
  on: Sql
  /** The table that contains events. Queries read `event`. */
  storedEvents: Sql
  /** The statements that create `event`, if it is not the same table as `storedEvents`. */
  createEvent: readonly Sql[]
  /** `FROM system.parts WHERE …`: the parts of `storedEvents`, without copies on other servers. */
  parts: Sql
  /** The engine of `storedEvents`, or of one of the other tables, which every server stores completely. */
  engine(kind: 'events' | 'other', family: Family, columns?: readonly string[]): Sql
  /** Settings of each table. */
  tableSettings: readonly Sql[]
  querySettings: ClickHouseSettings
  changeSettings: ClickHouseSettings
  /** @param token identifies the insert */
  insertSettings(table: string, token: string | undefined, select: Select): Promise<ClickHouseSettings>
  /** Whether a server lacks tables that other servers have. */
  lacksTables(select: Select): Promise<boolean>
}

export function singleServer(database: string): Layout {
  return {
    on: sql``,
    storedEvents: sql`event`,
    createEvent: [],
    parts: sql`FROM system.parts WHERE active AND database = ${database} AND table = 'event'`,
    engine: (_kind, family, columns = []) => sql`${verbatim(family)}(${join(columns.map(name), ', ')})`,
    tableSettings: [],
    // The load balancer of a managed service may send each statement to a different server.
    querySettings: { select_sequential_consistency: '1' },
    changeSettings: {},
    insertSettings: async () => ({}),
    lacksTables: async () => false,
  }
}
