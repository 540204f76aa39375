import { text } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { SessionStore } from '../../session-store.ts'
import type { Workspace } from './workspace.ts'

export function createSessionStore({ query, execute }: Pick<Workspace, 'query' | 'execute'>): SessionStore {
  return {
    end: (id, untilMs) =>
      execute(sql`INSERT INTO workspace.ended_session VALUES (${id}, ${untilMs}) ON CONFLICT DO NOTHING`),
    async ended(nowMs) {
      await execute(sql`DELETE FROM workspace.ended_session WHERE until_ms <= ${nowMs}`)
      const rows = await query(sql`SELECT id FROM workspace.ended_session ORDER BY id`)
      return rows.map(row => text(row.id))
    },
  }
}
