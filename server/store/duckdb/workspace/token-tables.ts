import { cacheTokens, type TokenStore } from '../../token-store.ts'
import { number, text } from '../sql/rows.ts'
import { sql } from '../sql/sql.ts'
import type { Workspace } from './workspace.ts'

export function createTokenStore({ query, execute }: Pick<Workspace, 'query' | 'execute'>): TokenStore {
  return cacheTokens({
    async list() {
      const rows = await query(
        sql`SELECT id, name, created_ms, hash FROM workspace.token ORDER BY created_ms, name, id`,
      )
      return rows.map(row => ({
        id: text(row.id),
        name: text(row.name),
        createdMs: number(row.created_ms),
        hash: text(row.hash),
      }))
    },
    add: ({ id, name, createdMs }, hash) =>
      execute(sql`INSERT INTO workspace.token VALUES (${id}, ${name}, ${hash}, ${createdMs})`),
    remove: id => execute(sql`DELETE FROM workspace.token WHERE id = ${id}`),
    async hashes() {
      const rows = await query(sql`SELECT hash FROM workspace.token`)
      return rows.map(row => text(row.hash))
    },
  })
}
