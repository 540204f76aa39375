import { number, type Row, text } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import type { SettingChange, SettingStore, StoredSetting } from '../../setting-store.ts'
import type { Workspace } from './workspace.ts'

export function createSettingStore({ query, execute }: Pick<Workspace, 'query' | 'execute'>): SettingStore {
  return {
    async list() {
      const rows = await query(sql`SELECT * FROM workspace.setting ORDER BY name`)
      return rows.map(readSetting)
    },
    save: (changes, changedMs) => execute(...changes.map(each => put(each, changedMs))),
  }
}

function put({ name, value }: SettingChange, changedMs: number): Sql {
  return value === null
    ? sql`DELETE FROM workspace.setting WHERE name = ${name}`
    : sql`INSERT OR REPLACE INTO workspace.setting VALUES (${name}, ${value}, ${changedMs})`
}

/** @throws TypeError if the row lacks a column */
export function readSetting(row: Row): StoredSetting {
  return { name: text(row.name), value: text(row.value), changedMs: number(row.changed_ms) }
}
