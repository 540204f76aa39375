import { type AuditEntry, type AuditStore, maxAuditEntries } from '../../audit-store.ts'
import { number, type Row, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { Workspace } from './workspace.ts'

export function createAuditStore({ query, execute }: Pick<Workspace, 'query' | 'execute'>): AuditStore {
  return {
    add: ({ id, atMs, user, action, details }) =>
      execute(
        sql`INSERT INTO workspace.audit VALUES (${id}, ${atMs}, ${user}, ${action}, ${details})`,
        sql`DELETE FROM workspace.audit WHERE id IN (
          SELECT id FROM workspace.audit ORDER BY at_ms DESC, rowid DESC OFFSET ${maxAuditEntries})`,
      ),
    async list(limit) {
      const rows = await query(
        sql`SELECT * FROM workspace.audit ORDER BY at_ms DESC, rowid DESC LIMIT ${limit}`,
      )
      return rows.map(readAuditEntry)
    },
  }
}

/** @throws TypeError if the row lacks a column */
export function readAuditEntry(row: Row): AuditEntry {
  return {
    id: text(row.id),
    atMs: number(row.at_ms),
    user: textOrNull(row.user_name),
    action: text(row.action),
    details: text(row.details),
  }
}
